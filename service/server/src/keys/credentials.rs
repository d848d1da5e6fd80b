//! The credentials of a call: an API key from `authorization: Bearer KEY`, a seat's token from
//! `matchbook-seat-token: TOKEN`, both or neither. Each has its own header, so that a proxy or a limit can
//! tell an application from a player.

use http::HeaderMap;
use play::{Caller, Credential, KEY_PREFIX, Refusal, SEAT_TOKEN_PREFIX};
use tonic::metadata::{Ascii, MetadataMap, MetadataValue};
/// The header of an API key.
pub(crate) const API_KEY_HEADER: &str = "authorization";

/// The header of a seat's token.
pub(crate) const SEAT_TOKEN_HEADER: &str = "matchbook-seat-token";

/// Far longer than any secret the service issues.
const MAX_SECRET_BYTES: usize = 256;

/// How to send each credential, for messages.
const USAGE: &str = "send an API key as `authorization: Bearer KEY` and a seat's token as \
                     `matchbook-seat-token: TOKEN`, or neither to be a spectator";

/// Returns the caller, anonymous without credentials, or refuses a malformed one as `BAD_TOKEN`.
pub(crate) fn caller(metadata: &MetadataMap) -> Result<Caller, Refusal> {
    let mut caller = Caller::anonymous();
    if let Some(text) = single(metadata, API_KEY_HEADER)? {
        caller = caller.with_key(api_key(text)?);
    }
    if let Some(text) = single(metadata, SEAT_TOKEN_HEADER)? {
        caller = caller.with_seat_token(seat_token(text)?);
    }
    Ok(caller)
}

/// Returns the API key without validating it, for rate limits and look-ups.
pub(crate) fn unchecked_api_key(headers: &HeaderMap) -> Option<&str> {
    let (_, key) = headers.get(API_KEY_HEADER)?.to_str().ok()?.split_once(' ')?;
    Some(key.trim_matches(' '))
}

/// Returns the seat's token without validating it, for rate limits.
pub(crate) fn unchecked_seat_token(headers: &HeaderMap) -> Option<&str> {
    headers.get(SEAT_TOKEN_HEADER)?.to_str().ok().map(|token| token.trim_matches(' '))
}

/// Returns the only value of a header.
fn single<'a>(metadata: &'a MetadataMap, header: &str) -> Result<Option<&'a str>, Refusal> {
    let mut values = metadata.get_all(header).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(bad_token(header, "appears more than once"));
    }
    let text = MetadataValue::<Ascii>::to_str(value);
    text.map(Some).map_err(|_| bad_token(header, "contains bytes that are not ASCII"))
}

fn api_key(text: &str) -> Result<&str, Refusal> {
    // HTTP strips the space after `Bearer` if no key follows, as with a variable that is not set.
    let (scheme, key) = text.split_once(' ').unwrap_or((text, ""));
    // The scheme is case-insensitive (RFC 9110).
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(bad_token(API_KEY_HEADER, "does not start with `Bearer `"));
    }
    let key = key.trim_matches(' ');
    if key.starts_with(SEAT_TOKEN_PREFIX) {
        let message = "`authorization` contains a seat's token; send it as `matchbook-seat-token: TOKEN`, \
                       without `Bearer`";
        return Err(Refusal::bad_credential(Credential::ApiKey, message));
    }
    if !key.starts_with(KEY_PREFIX) || !is_plain(key) {
        return Err(bad_token(API_KEY_HEADER, "has no API key (`mbk_...`) after `Bearer `"));
    }
    Ok(key)
}

fn seat_token(text: &str) -> Result<&str, Refusal> {
    let token = text.trim_matches(' ');
    let bare = token.split_once(' ').map_or(token, |(_, rest)| rest.trim_matches(' '));
    if bare.starts_with(KEY_PREFIX) {
        let message = "`matchbook-seat-token` contains an API key; send it as `authorization: Bearer KEY`";
        return Err(Refusal::bad_credential(Credential::SeatToken, message));
    }
    if !token.starts_with(SEAT_TOKEN_PREFIX) || !is_plain(token) {
        return Err(bad_token(SEAT_TOKEN_HEADER, "is not a seat's token (`mbs_...`)"));
    }
    Ok(token)
}

fn is_plain(secret: &str) -> bool {
    secret.len() <= MAX_SECRET_BYTES && secret.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Returns the token that a message of a stream carries in its field `seat_token`.
pub(crate) fn seat_token_of_message(text: &str) -> Result<&str, Refusal> {
    if text.starts_with(SEAT_TOKEN_PREFIX) && is_plain(text) {
        return Ok(text);
    }
    let message = "`seat_token` is not a seat's token (`mbs_...`); send the one that ClaimSeat returned, or \
                   leave it empty";
    Err(Refusal::bad_credential(Credential::SeatToken, message))
}

fn bad_token(header: &str, what: &str) -> Refusal {
    let credential = if header == SEAT_TOKEN_HEADER { Credential::SeatToken } else { Credential::ApiKey };
    Refusal::bad_credential(credential, format!("metadata `{header}` {what}; {USAGE}"))
}

#[cfg(test)]
mod tests {
    use wire::v1::ErrorReason;

    use super::*;

    fn with(headers: &[(&'static str, &'static str)]) -> Result<Caller, Refusal> {
        let mut metadata = MetadataMap::new();
        for (header, value) in headers {
            metadata.append(*header, value.parse().unwrap());
        }
        caller(&metadata)
    }

    #[test]
    fn each_credential_is_optional_and_has_its_header() {
        let key = ("authorization", "Bearer mbk_abc-_123");
        let seat = ("matchbook-seat-token", "mbs_abc-_123");
        for (headers, shown) in [
            (vec![], "has_key: false, has_seat_token: false"),
            (vec![key], "has_key: true, has_seat_token: false"),
            (vec![("authorization", "BEARER  mbk_abc ")], "has_key: true, has_seat_token: false"),
            (vec![seat], "has_key: false, has_seat_token: true"),
            (vec![("matchbook-seat-token", " mbs_abc ")], "has_key: false, has_seat_token: true"),
            (vec![seat, key], "has_key: true, has_seat_token: true"),
        ] {
            assert!(format!("{:?}", with(&headers).unwrap()).contains(shown), "{headers:?}");
        }
    }

    #[test]
    fn anything_else_is_refused_as_bad_token() {
        let long: &'static str = String::leak(format!("mbs_{}", "x".repeat(300)));
        for (header, value) in [
            ("authorization", ""),
            ("authorization", "Bearer"),
            ("authorization", "Bearer "),
            ("authorization", "Basic abc"),
            ("authorization", "mbk_abc"),
            ("authorization", "Bearer abc"),
            ("authorization", "Bearer mbk_a b"),
            ("matchbook-seat-token", ""),
            ("matchbook-seat-token", "abc"),
            ("matchbook-seat-token", "Bearer mbs_abc"),
            ("matchbook-seat-token", "mbs_a b"),
            ("matchbook-seat-token", "mbs_a, mbs_a"),
            ("matchbook-seat-token", long),
        ] {
            let refusal = with(&[(header, value)]).unwrap_err();
            assert_eq!(refusal.reason, ErrorReason::BadToken, "{header}: {value}");
            assert!(refusal.message.contains(header), "{}", refusal.message);
        }
        for twice in [("authorization", "Bearer mbk_a"), ("matchbook-seat-token", "mbs_a")] {
            let refusal = with(&[twice, twice]).unwrap_err();
            assert_eq!(refusal.reason, ErrorReason::BadToken, "{twice:?}");
            assert!(refusal.message.contains("more than once"), "{}", refusal.message);
        }
    }

    #[test]
    fn a_credential_in_the_other_header_is_refused_with_the_right_one() {
        for (header, value, right) in [
            ("authorization", "Bearer mbs_abc", "matchbook-seat-token: TOKEN"),
            ("matchbook-seat-token", "mbk_abc", "authorization: Bearer KEY"),
            ("matchbook-seat-token", "Bearer mbk_abc", "authorization: Bearer KEY"),
        ] {
            let refusal = with(&[(header, value)]).unwrap_err();
            assert_eq!(refusal.reason, ErrorReason::BadToken);
            assert!(
                refusal.message.contains(right) && !refusal.message.contains("abc"),
                "{}",
                refusal.message
            );
        }
    }
}
