//! Who calls, from the metadata of a call: `authorization: Bearer TOKEN` or nothing. A token is a seat's or an API key.

use http::HeaderMap;
use play::{Caller, Refusal};
use tonic::metadata::MetadataMap;
use wire::v1::ErrorReason;

/// Longest token that is looked at; ours are far shorter.
const MAX_TOKEN_BYTES: usize = 256;

/// The caller, or `bad_token` if something stands there that can't be a token.
pub(crate) fn of(metadata: &MetadataMap) -> Result<Caller, Refusal> {
    let mut values = metadata.get_all("authorization").iter();
    let Some(value) = values.next() else { return Ok(Caller::anonymous()) };
    if values.next().is_some() {
        return Err(bad_token("there is more than one `authorization`"));
    }
    let text = value.to_str().map_err(|_| bad_token("it has bytes that no token has"))?;
    // RFC 9110: the scheme's case does not matter.
    match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => checked(token.trim_matches(' ')),
        _ => Err(bad_token("it does not begin with `Bearer `")),
    }
}

/// The token of a request as it stands there, unchecked; for counting only.
pub(crate) fn token(headers: &HeaderMap) -> Option<&str> {
    let (_, token) = headers.get("authorization")?.to_str().ok()?.split_once(' ')?;
    Some(token.trim_matches(' '))
}

fn checked(token: &str) -> Result<Caller, Refusal> {
    let printable = token.bytes().all(|byte| byte.is_ascii_graphic());
    if token.is_empty() || token.len() > MAX_TOKEN_BYTES || !printable {
        return Err(bad_token("what follows `Bearer ` is no token"));
    }
    Ok(Caller::with_token(token))
}

fn bad_token(what: &str) -> Refusal {
    let message = format!(
        "metadata `authorization`: {what}; send `authorization: Bearer TOKEN` with an API key or the token that \
         ClaimSeat gave, or leave it out to look on as a spectator"
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
        of(&metadata)
    }

    #[test]
    fn a_bearer_token_or_nothing() {
        assert!(format!("{:?}", with(&[]).unwrap()).contains("has_token: false"));
        for good in ["Bearer abc-_123", "bearer abc", "BEARER  abc "] {
            assert!(format!("{:?}", with(&[good]).unwrap()).contains("has_token: true"), "{good}");
        }
    }

    #[test]
    fn anything_else_is_a_bad_token() {
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
