//! Spaces, what a seat can do, and its notation: `3,5` is row 3, column 5.

use alloc::format;
use alloc::string::String;

use crate::BadNotation;

/// A space by its coordinates, the same for both seats (AD-1); not every value lies on a given board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Space {
    /// From 1, growing away from the Angels.
    pub row: u32,
    /// From 1, growing to the Angels' right.
    pub col: u32,
}

impl Space {
    /// Whether the space is black: row + column is even (AD-2).
    #[must_use]
    pub const fn is_black(self) -> bool {
        // Not their sum, which may not fit: any two numbers can be sent as a space.
        self.row % 2 == self.col % 2
    }
}

/// What a seat does in a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Choose a black space, in secret until the other seat has chosen too (AD-4).
    Choose(Space),
}

pub(super) fn print(made: Move) -> String {
    let Move::Choose(Space { row, col }) = made;
    format!("{row},{col}")
}

pub(super) fn parse(text: &str) -> Result<Move, BadNotation> {
    let numbers = text.split_once(',').and_then(|(row, col)| Some((number(row)?, number(col)?)));
    match numbers {
        Some((row, col)) => Ok(Move::Choose(Space { row, col })),
        None => Err(BadNotation::new("a move is a space as row,column without blanks, for example 3,5")),
    }
}

/// A number as it is printed, and only so: each move has one notation.
fn number(digits: &str) -> Option<u32> {
    let canonical = digits == "0" || !digits.starts_with(['0', '+']);
    if canonical { digits.parse().ok() } else { None }
}
