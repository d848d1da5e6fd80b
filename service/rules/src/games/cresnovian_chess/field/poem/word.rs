//! Words, legal or not (CC-60).

use alloc::sync::Arc;

/// Maximum number of Unicode scalar values in a word.
pub(crate) const MAX_WORD_CHARS: usize = 32;

/// A word as a seat wrote it, legal or not (CC-60).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Word(Arc<str>);

impl Word {
    /// Creates a word from any text, legal or not.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(Arc::from(text))
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the length in bytes, followed by the text, of a legal word.
    pub(crate) fn encoded(&self) -> (u8, &[u8]) {
        let text = self.0.as_bytes();
        // A legal word has at most 32 scalar values of 4 bytes, so its length fits a byte.
        (u8::try_from(text.len()).expect("a word is at most 128 bytes long"), text)
    }

    /// Returns whether the word is legal (CC-60).
    pub(crate) fn is_allowed(&self) -> bool {
        let length = self.0.chars().take(MAX_WORD_CHARS + 1).count();
        (1..=MAX_WORD_CHARS).contains(&length) && !self.0.chars().any(is_refused)
    }
}

/// Returns whether the character is excluded by CC-60, which has a closed list.
fn is_refused(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c,
            '\u{061C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'
            | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}
