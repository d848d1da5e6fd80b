//! Spaces, moves, and their notation: `3,5` is row 3, column 5.

use alloc::format;
use alloc::string::String;

use crate::BadNotation;

/// A space by its coordinates, which are the same for both seats (AD-1). It need not lie on a given board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Space {
    /// The row from 1, counted away from the Angels.
    pub row: u32,
    /// The column from 1, counted to the Angels' right.
    pub col: u32,
}

impl Space {
    /// Returns whether the space is black: row + column is even (AD-2).
    #[must_use]
    pub const fn is_black(self) -> bool {
        // Compare parities: the sum can overflow, since a client can send any two numbers.
        self.row % 2 == self.col % 2
    }
}

/// What a seat does in a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Choose a black space, in secret until the other seat has chosen too (AD-4).
    Choose(Space),
}

pub(super) fn print(mv: Move) -> String {
    let Move::Choose(Space { row, col }) = mv;
    format!("{row},{col}")
}

pub(super) fn parse(text: &str) -> Result<Move, BadNotation> {
    let numbers = text.split_once(',').and_then(|(row, col)| Some((number(row)?, number(col)?)));
    match numbers {
        Some((row, col)) => Ok(Move::Choose(Space { row, col })),
        None => Err(BadNotation::new("write a space as row,column without blanks, for example 3,5")),
    }
}

/// Parses a number in its canonical form only, so that each move has one notation.
fn number(digits: &str) -> Option<u32> {
    let canonical = digits == "0" || !digits.starts_with(['0', '+']);
    if canonical { digits.parse().ok() } else { None }
}
