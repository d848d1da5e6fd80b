//! Words and the communal poem (CC-12, CC-45, CC-60). Positions share the poem's lines, which makes copies
//! cheap.

use alloc::sync::Arc;
use alloc::vec::Vec;

/// Words in a document.
pub(crate) const DOCUMENT_WORDS: usize = 9;
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

/// The words of the poem in order. Poems with equal words are equal.
#[derive(Clone, Debug, Default)]
pub struct Poem {
    /// No line is empty; line breaks have no meaning.
    lines: Arc<Vec<Arc<Vec<Word>>>>,
    len: usize,
}

/// A stretch in which a poem differs from another poem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PoemChange {
    /// The index of the first differing word.
    pub index: u32,
    /// The words removed there.
    pub removed: Vec<Word>,
    /// The words inserted there.
    pub inserted: Vec<Word>,
}

impl Poem {
    /// Returns the number of words.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the poem has no words.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the words in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Word> {
        self.lines.iter().flat_map(|line| line.iter())
    }

    /// Replaces the removed words by the inserted ones. Returns false, without a change, if the removed words
    /// are not there.
    pub fn apply(&mut self, change: &PoemChange) -> bool {
        let index = change.index as usize;
        let old: Vec<Word> = self.iter().skip(index).take(change.removed.len()).cloned().collect();
        if old != change.removed || index > self.len {
            return false;
        }
        for _ in &change.removed {
            self.take(index);
        }
        for (nth, word) in change.inserted.iter().enumerate() {
            self.insert(index + nth, word.clone());
        }
        true
    }

    pub(crate) fn append(&mut self, words: &[Word]) {
        Arc::make_mut(&mut self.lines).push(Arc::new(words.to_vec()));
        self.len += words.len();
    }

    /// Removes and returns a word; the index must be below the length.
    pub(crate) fn take(&mut self, index: usize) -> Word {
        let (line, place) = self.line_of(index + 1);
        let lines = Arc::make_mut(&mut self.lines);
        let words = Arc::make_mut(&mut lines[line]);
        let word = words.remove(place - 1);
        if words.is_empty() {
            lines.remove(line);
        }
        self.len -= 1;
        word
    }

    /// Inserts a word at the index; at the length it comes last.
    pub(crate) fn insert(&mut self, index: usize, word: Word) {
        if self.lines.is_empty() {
            return self.append(&[word]);
        }
        let (line, place) = self.line_of(index);
        Arc::make_mut(&mut Arc::make_mut(&mut self.lines)[line]).insert(place, word);
        self.len += 1;
    }

    /// Returns the line that contains the end of the first `words` words, and how many of them lie in it.
    fn line_of(&self, words: usize) -> (usize, usize) {
        let mut rest = words;
        for (number, line) in self.lines.iter().enumerate() {
            if rest <= line.len() {
                return (number, rest);
            }
            rest -= line.len();
        }
        unreachable!("indices are checked against the length of the poem")
    }

    /// Returns the change that turns this poem into the other. `None` if they are equal.
    pub(crate) fn change_to(&self, other: &Self) -> Option<PoemChange> {
        if Arc::ptr_eq(&self.lines, &other.lines) {
            return None;
        }
        let shorter = self.len.min(other.len);
        let start = self.iter().zip(other.iter()).take_while(|(one, two)| one == two).count();
        let ends = self.iter().rev().zip(other.iter().rev());
        let end = ends.take(shorter - start).take_while(|(one, two)| one == two).count();
        let stretch = |poem: &Self| poem.iter().take(poem.len - end).skip(start).cloned().collect::<Vec<_>>();
        let (removed, inserted) = (stretch(self), stretch(other));
        let index = u32::try_from(start).expect("a match has at most 18 000 words (CC-71)");
        (!removed.is_empty() || !inserted.is_empty()).then_some(PoemChange { index, removed, inserted })
    }
}

impl PartialEq for Poem {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.lines, &other.lines) || (self.len == other.len && self.iter().eq(other.iter()))
    }
}

impl Eq for Poem {}
