//! Strict percent-decoding: every `%` must begin an escape, and the result must be UTF-8.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use thiserror::Error;

/// Why a part of a URL cannot be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum EscapeError {
    /// A `%` is not followed by two hexadecimal digits.
    #[error("has a `%` that is not followed by two hexadecimal digits")]
    Malformed,
    /// The bytes are not UTF-8.
    #[error("is not valid UTF-8 after percent-decoding")]
    NotUtf8,
}

/// Decodes all escapes.
pub(crate) fn decode(text: &str) -> Result<Cow<'_, str>, EscapeError> {
    let bytes = text.as_bytes();
    let escaped = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
    if text.match_indices('%').any(|(at, _)| !(escaped(at + 1) && escaped(at + 2))) {
        return Err(EscapeError::Malformed);
    }
    percent_decode_str(text).decode_utf8().map_err(|_| EscapeError::NotUtf8)
}

/// Decodes all escapes except those of slashes: in variables of several segments, a decoded slash would look
/// like a separator.
pub(crate) fn decode_except_slashes(text: &str) -> Result<String, EscapeError> {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("%2F").into_iter().chain(rest.find("%2f")).min() {
        let (before, slash) = rest.split_at(at);
        decoded.push_str(&decode(before)?);
        decoded.push_str(&slash[..3]);
        rest = &slash[3..];
    }
    decoded.push_str(&decode(rest)?);
    Ok(decoded)
}

/// Decodes a name or value in a query string, where a plus sign means a space.
pub(crate) fn decode_query(text: &str) -> Result<String, EscapeError> {
    Ok(decode(&text.replace('+', " "))?.into_owned())
}
