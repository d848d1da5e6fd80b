//! Where a list goes on: the last id of the page before, tied to what was asked for, so that a token of another
//! question is refused and not misread.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

use crate::Refusal;
use crate::service_key::sha256;

/// Bytes of the question's hash in a token: enough to tell a mistake, no secret.
const QUESTION_BYTES: usize = 8;

/// The token of a page that ends with this id.
pub(crate) fn write(last: Uuid, question: &[u8]) -> String {
    let mut bytes = last.as_bytes().to_vec();
    bytes.extend(mark(question));
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The id in a token for the same question; none for the first page.
pub(crate) fn read(token: &str, question: &[u8]) -> Result<Option<Uuid>, Refusal> {
    if token.is_empty() {
        return Ok(None);
    }
    let bytes = URL_SAFE_NO_PAD.decode(token).unwrap_or_default();
    let refused =
        || Refusal::field("page_token", "must be the next_page_token of the same request's page before");
    let (id, marked) = bytes.split_first_chunk::<16>().ok_or_else(refused)?;
    if marked != mark(question) {
        return Err(refused());
    }
    Ok(Some(Uuid::from_bytes(*id)))
}

fn mark(question: &[u8]) -> [u8; QUESTION_BYTES] {
    let hash = sha256(&[b"matchbook.page.v1\0", question]);
    *hash.first_chunk().expect("a SHA-256 has 32 bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_good_for_its_question_alone() {
        let id = Uuid::from_u128(7);
        let token = write(id, b"running");
        assert_eq!(read(&token, b"running").unwrap(), Some(id));
        assert_eq!(read("", b"running").unwrap(), None);
        for (token, question) in
            [(token.as_str(), "open"), ("x", "running"), (&token[1..], "running"), ("é", "running")]
        {
            assert_eq!(read(token, question.as_bytes()).unwrap_err().fields[0].field, "page_token");
        }
    }
}
