//! Page tokens: the last id of a page, bound to the request's filter, so that a token is rejected with
//! another filter.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use event::MatchId;
use uuid::Uuid;

use crate::Refusal;
use crate::keys::sha256;

/// Bytes of the filter's hash in a token. It detects mistakes; nothing is secret.
const CHECKSUM_BYTES: usize = 8;

/// Returns the token of a page that ends with `last`.
pub(crate) fn write(last: MatchId, filter: &[u8]) -> String {
    let mut bytes = last.0.as_bytes().to_vec();
    bytes.extend(checksum(filter));
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns the id in a token for the same filter, or `None` for the first page.
pub(crate) fn read(token: &str, filter: &[u8]) -> Result<Option<MatchId>, Refusal> {
    if token.is_empty() {
        return Ok(None);
    }
    let bytes = URL_SAFE_NO_PAD.decode(token).unwrap_or_default();
    let refused = || {
        Refusal::field(
            "page_token",
            "must be the next_page_token of a response to the same request, or empty",
        )
    };
    let (id, sent) = bytes.split_first_chunk::<16>().ok_or_else(refused)?;
    if sent != checksum(filter) {
        return Err(refused());
    }
    Ok(Some(MatchId(Uuid::from_bytes(*id))))
}

fn checksum(filter: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let hash = sha256(&[b"matchbook.page.v1\0", filter]);
    *hash.first_chunk().expect("a SHA-256 has 32 bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_valid_for_its_filter_only() {
        let id = MatchId(Uuid::from_u128(7));
        let token = write(id, b"running");
        assert_eq!(read(&token, b"running").unwrap(), Some(id));
        assert_eq!(read("", b"running").unwrap(), None);
        for (token, filter) in
            [(token.as_str(), "open"), ("x", "running"), (&token[1..], "running"), ("é", "running")]
        {
            assert_eq!(read(token, filter.as_bytes()).unwrap_err().fields[0].field, "page_token");
        }
    }
}
