//! The communal poem (CC-12, CC-45, CC-60) and its running hash. Positions share its lines, which makes
//! copies cheap.

mod lines;
mod word;

use alloc::sync::Arc;
use core::fmt;

use sha2::{Digest as _, Sha256};

use crate::games::cresnovian_chess::field::poem::lines::Lines;

pub(crate) use word::MAX_WORD_CHARS;
pub use word::Word;

/// Words in a document.
pub(crate) const DOCUMENT_WORDS: usize = 9;

const DOMAIN: &[u8] = b"matchbook.poem.v1\0";

/// The words of the poem in order, and a running hash of the changes that made it. Poems with equal hashes
/// have had the same changes, so they have equal words.
#[derive(Clone, Default)]
pub struct Poem {
    lines: Lines,
    hash: [u8; 32],
}

/// A change of a poem at one index. Copies are cheap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PoemChange {
    /// The index of the first word removed or inserted.
    pub index: u32,
    /// The words removed there.
    pub removed: Arc<[Word]>,
    /// The words inserted there.
    pub inserted: Arc<[Word]>,
}

impl PoemChange {
    /// Returns the change that undoes this one.
    pub(crate) fn inverse(&self) -> Self {
        Self { index: self.index, removed: self.inserted.clone(), inserted: self.removed.clone() }
    }
}

impl Poem {
    /// Returns the number of words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns whether the poem has no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the words in order.
    pub fn iter(&self) -> impl Iterator<Item = &Word> {
        self.lines.starting_at(0)
    }

    /// Returns up to `count` words from the end, in order.
    pub fn last(&self, count: usize) -> impl Iterator<Item = &Word> {
        self.lines.starting_at(self.len().saturating_sub(count))
    }

    /// Returns the running hash: 32 zero bytes for a poem that never changed, then after each change SHA-256
    /// over domain, hash before, index, number of words removed, and each word inserted with its length.
    #[must_use]
    pub const fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    /// Replaces the removed words by the inserted ones. Returns false, without a change, if the removed words
    /// are not there. Each inserted word is legal.
    pub fn apply(&mut self, change: &PoemChange) -> bool {
        let index = change.index as usize;
        let mut old = self.lines.starting_at(index);
        if index > self.len() || !change.removed.iter().all(|word| old.next() == Some(word)) {
            return false;
        }
        for _ in &*change.removed {
            self.lines = self.lines.removed(index).expect("the removed words are there").1;
        }
        if index == self.len() {
            self.lines = self.lines.appended(&change.inserted);
        } else {
            for (index, word) in (index..).zip(&*change.inserted) {
                self.lines = self.lines.inserted(index, word.clone());
            }
        }
        self.hash = hash_after(&self.hash, change);
        true
    }

    /// Returns the word at an index, which must be below the length.
    pub(crate) fn word(&self, index: u32) -> &Word {
        let word = self.lines.starting_at(index as usize).next();
        word.expect("indices are checked against the length of the poem")
    }
}

fn hash_after(before: &[u8; 32], change: &PoemChange) -> [u8; 32] {
    let removed = u32::try_from(change.removed.len()).expect("a change has few words");
    let mut hash = Sha256::new()
        .chain_update(DOMAIN)
        .chain_update(before)
        .chain_update(change.index.to_be_bytes())
        .chain_update(removed.to_be_bytes());
    for word in &*change.inserted {
        let (length, text) = word.encoded();
        hash.update([length]);
        hash.update(text);
    }
    hash.finalize().into()
}

impl PartialEq for Poem {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.iter().eq(other.iter())
    }
}

impl Eq for Poem {}

impl fmt::Debug for Poem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(Word::as_str)).finish()
    }
}
