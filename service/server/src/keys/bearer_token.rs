//! The bearer token of a call, a seat's token or an API key, from `authorization: Bearer TOKEN`.

use http::HeaderMap;
use play::{Caller, Refusal};
use tonic::metadata::MetadataMap;
use wire::v1::ErrorReason;

/// Far longer than any token the service issues.
const MAX_TOKEN_BYTES: usize = 256;

/// Returns the caller, anonymous without `authorization`, or refuses a malformed one as `BAD_TOKEN`.
pub(crate) fn caller(metadata: &MetadataMap) -> Result<Caller, Refusal> {
    let mut values = metadata.get_all("authorization").iter();
    let Some(value) = values.next() else { return Ok(Caller::anonymous()) };
    if values.next().is_some() {
        return Err(bad_token("appears more than once"));
    }
    let text = value.to_str().map_err(|_| bad_token("contains bytes that are not ASCII"))?;
    // The scheme is case-insensitive (RFC 9110).
    match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => check(token.trim_matches(' ')),
        _ => Err(bad_token("does not start with `Bearer `")),
    }
}

/// Returns the token without validating it, for rate limits and look-ups.
pub(crate) fn unchecked(headers: &HeaderMap) -> Option<&str> {
    let (_, token) = headers.get("authorization")?.to_str().ok()?.split_once(' ')?;
    Some(token.trim_matches(' '))
}

fn check(token: &str) -> Result<Caller, Refusal> {
    let printable = token.bytes().all(|byte| byte.is_ascii_graphic());
    if token.is_empty() || token.len() > MAX_TOKEN_BYTES || !printable {
        return Err(bad_token("has a malformed token after `Bearer `"));
    }
    Ok(Caller::with_token(token))
}

fn bad_token(what: &str) -> Refusal {
    let message = format!(
        "metadata `authorization` {what}; send `authorization: Bearer TOKEN` with an API key or a seat's \
         token from ClaimSeat, or omit it to be a spectator"
    );
    Refusal::new(ErrorReason::BadToken, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(values: &[&'static str]) -> Result<Caller, Refusal> {
        let mut metadata = MetadataMap::new();
        for value in values {
            metadata.append("authorization", value.parse().unwrap());
        }
        caller(&metadata)
    }

    #[test]
    fn a_bearer_token_is_optional() {
        assert!(format!("{:?}", with(&[]).unwrap()).contains("has_token: false"));
        for good in ["Bearer abc-_123", "bearer abc", "BEARER  abc "] {
            assert!(format!("{:?}", with(&[good]).unwrap()).contains("has_token: true"), "{good}");
        }
    }

    #[test]
    fn anything_else_is_refused_as_bad_token() {
        let cases: [&[&'static str]; 7] = [
            &[""],
            &["Bearer"],
            &["Bearer "],
            &["Basic abc"],
            &["abc"],
            &["Bearer a b"],
            &["Bearer a", "Bearer a"],
        ];
        for case in cases {
            assert_eq!(with(case).unwrap_err().reason, ErrorReason::BadToken, "{case:?}");
        }
    }
}
