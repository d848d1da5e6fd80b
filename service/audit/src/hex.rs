//! Lower-case hexadecimal digits.

use std::fmt::Write as _;

use event::ChainHash;

/// Formats bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Parses a hash from its 64 lower-case hexadecimal digits.
pub fn hash_from_hex(text: &str) -> Option<ChainHash> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let bytes = text.as_bytes();
    if bytes.len() != 64 || bytes.iter().any(u8::is_ascii_uppercase) {
        return None;
    }
    let mut hash = [0; 32];
    for (byte, pair) in hash.iter_mut().zip(bytes.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_has_one_spelling() {
        let hash = std::array::from_fn(|at| u8::try_from(at * 8 + 3).unwrap());
        let text = hex(&hash);
        assert!(text.starts_with("030b131b"), "{text}");
        assert_eq!(hash_from_hex(&text), Some(hash));
        let others =
            [text.to_uppercase(), text[..62].to_owned(), text.clone() + "00", text.replace('0', "g")];
        for other in others {
            assert_eq!(hash_from_hex(&other), None, "{other}");
        }
    }
}
