//! The whole truth of a position: the board as two sets of spaces, the turns taken, and the choices not yet
//! revealed. Neither the state nor the choices have `Debug`, because debug output can reach a log.

use alloc::vec::Vec;

use super::moves::Space;
use super::options::{MAX_SPACES, Options};
use crate::{BySide, Side};

/// The rules version of new matches. When a later version changes a paragraph, the code asks the state for
/// its version.
pub(super) const RULES_VERSION: u32 = 1;

/// What covers a space (AD-3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cover {
    /// Nothing.
    Empty,
    /// A piece of seat 0.
    Angel,
    /// A piece of seat 1.
    Demon,
}

/// A position of Angels and Demons.
#[derive(Clone)]
pub struct State {
    pub(super) rules_version: u32,
    pub(super) options: Options,
    pub(super) turns_taken: u32,
    /// The spaces that each seat covers; the sets are disjoint.
    pub(super) covered: BySide<SpaceSet>,
    pub(super) sealed: Sealed,
}

/// The sealed choices of the current turn, each known only to its seat (AD-5).
#[derive(Clone, Copy)]
pub(super) struct Sealed(pub(super) BySide<Option<Space>>);

impl Sealed {
    pub(super) const NONE: Self = Self(BySide::new(None, None));
}

impl State {
    /// Returns the empty board before the first turn (AD-3).
    pub(super) const fn opening(options: Options, rules_version: u32) -> Self {
        Self {
            rules_version,
            options,
            turns_taken: 0,
            covered: BySide::new(SpaceSet::EMPTY, SpaceSet::EMPTY),
            sealed: Sealed::NONE,
        }
    }

    /// Returns the number of spaces that each seat covers (AD-9).
    pub(super) fn counts(&self) -> BySide<u32> {
        BySide::new(self.covered[Side::Zero].len(), self.covered[Side::One].len())
    }

    pub(super) fn cover(&self, index: u32) -> Cover {
        if self.covered[Side::Zero].contains(index) {
            Cover::Angel
        } else if self.covered[Side::One].contains(index) {
            Cover::Demon
        } else {
            Cover::Empty
        }
    }

    /// Returns the covers of the board, row by row.
    pub(super) fn covers(&self) -> impl Iterator<Item = Cover> {
        (0..self.options.rows * self.options.cols).map(|index| self.cover(index))
    }

    /// Returns the bytes for the position's digest, without sealed choices: a match that ends in the middle
    /// of a turn publishes its digest and seed together, so a sealed choice could be found by trying all
    /// (AD-5).
    pub(super) fn canonical(&self) -> Vec<u8> {
        let Options { rows, cols, turns } = self.options;
        let mut bytes = Vec::with_capacity(20 + (rows * cols) as usize);
        for number in [self.rules_version, rows, cols, turns, self.turns_taken] {
            bytes.extend(number.to_be_bytes());
        }
        bytes.extend(self.covers().map(|cover| match cover {
            Cover::Empty => 0_u8,
            Cover::Angel => 1,
            Cover::Demon => 2,
        }));
        bytes
    }
}

const WORD: u32 = u64::BITS;
const WORDS: usize = MAX_SPACES.div_ceil(WORD) as usize;

/// A bitboard of spaces, row by row from row 1.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct SpaceSet([u64; WORDS]);

impl SpaceSet {
    pub(super) const EMPTY: Self = Self([0; WORDS]);

    pub(super) const fn contains(&self, index: u32) -> bool {
        self.0[(index / WORD) as usize] >> (index % WORD) & 1 == 1
    }

    pub(super) const fn insert(&mut self, index: u32) {
        self.0[(index / WORD) as usize] |= 1 << (index % WORD);
    }

    pub(super) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub(super) fn union(&self, other: &Self) -> Self {
        self.merge(other, |a, b| a | b)
    }

    pub(super) fn without(&self, other: &Self) -> Self {
        self.merge(other, |a, b| a & !b)
    }

    fn merge(&self, other: &Self, words: impl Fn(u64, u64) -> u64) -> Self {
        Self(core::array::from_fn(|i| words(self.0[i], other.0[i])))
    }

    /// Returns the indices in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        let Self(mut words) = *self;
        let mut start = 0;
        core::iter::from_fn(move || {
            loop {
                let word = words.get_mut((start / WORD) as usize)?;
                if *word != 0 {
                    let index = start + word.trailing_zeros();
                    *word &= *word - 1;
                    return Some(index);
                }
                start += WORD;
            }
        })
    }
}
