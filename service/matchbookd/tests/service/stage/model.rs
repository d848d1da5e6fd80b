//! An independent implementation of Angels and Demons from the rules page, without code of the service.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A piece on a white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    Angel,
    Demon,
}

/// A board and its covered spaces.
pub(crate) struct Board {
    rows: i64,
    cols: i64,
    covered: BTreeMap<(i64, i64), Piece>,
}

impl Board {
    /// Returns an empty board.
    pub(crate) fn new(rows: u32, cols: u32) -> Self {
        Self { rows: rows.into(), cols: cols.into(), covered: BTreeMap::new() }
    }

    /// Resolves both choices of a turn (AD-6).
    pub(crate) fn resolve(&mut self, angels: (u32, u32), demons: (u32, u32)) {
        let (angels, demons) = (self.around(angels), self.around(demons));
        for space in &angels {
            if demons.contains(space) {
                self.covered.remove(space);
            } else {
                self.covered.insert(*space, Piece::Angel);
            }
        }
        for space in demons.iter().filter(|space| !angels.contains(space)) {
            self.covered.insert(*space, Piece::Demon);
        }
    }

    fn around(&self, (row, col): (u32, u32)) -> Vec<(i64, i64)> {
        let (row, col) = (i64::from(row), i64::from(col));
        [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
            .into_iter()
            .filter(|(row, col)| (1..=self.rows).contains(row) && (1..=self.cols).contains(col))
            .collect()
    }

    /// Returns the piece that covers a space.
    pub(crate) fn at(&self, row: usize, col: usize) -> Option<Piece> {
        let number = |n| i64::try_from(n).unwrap();
        self.covered.get(&(number(row), number(col))).copied()
    }

    /// Returns the numbers of spaces that the Angels and the Demons cover (AD-9).
    pub(crate) fn counts(&self) -> (u32, u32) {
        let count = |of| u32::try_from(self.covered.values().filter(|piece| **piece == of).count()).unwrap();
        (count(Piece::Angel), count(Piece::Demon))
    }

    /// Returns the index of the winning seat, if any, and the reason of the result (AD-8).
    pub(crate) fn result(&self) -> (Option<usize>, &'static str) {
        let (angels, demons) = self.counts();
        match angels.cmp(&demons) {
            Ordering::Greater => (Some(0), "count"),
            Ordering::Less => (Some(1), "count"),
            Ordering::Equal => (None, "equal-count"),
        }
    }
}

/// An endless sequence of black spaces, determined by its seed.
pub(crate) struct Moves {
    rows: u32,
    cols: u32,
    state: u64,
}

impl Moves {
    /// Returns the sequence of a seed.
    pub(crate) fn new(rows: u32, cols: u32, seed: u64) -> Self {
        Self { rows, cols, state: seed }
    }

    fn below(&mut self, bound: u32) -> u32 {
        // Knuth's MMIX generator; its high bits are random enough to pick spaces.
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.state >> 33) % u64::from(bound)).unwrap()
    }
}

impl Iterator for Moves {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<(u32, u32)> {
        loop {
            let space = (1 + self.below(self.rows), 1 + self.below(self.cols));
            if (space.0 + space.1).is_multiple_of(2) {
                return Some(space);
            }
        }
    }
}
