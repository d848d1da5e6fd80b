//! How the rules end a match. Endings outside the rules (G-4), such as resignation, are not decided here.

use crate::Side;

/// The outcome of a match that its rules ended; `R` is the game's own reasons, or the reasons of any game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending<R> {
    /// The seat that won; `None` in a draw.
    pub winner: Option<Side>,
    /// The rule that ended the match (G-7).
    pub reason: R,
}

impl<R> Ending<R> {
    /// Returns a win of the seat.
    pub const fn won(winner: Side, reason: R) -> Self {
        Self { winner: Some(winner), reason }
    }

    /// Returns a draw.
    pub const fn drawn(reason: R) -> Self {
        Self { winner: None, reason }
    }

    /// Converts the reason and keeps the winner.
    pub fn map<T>(self, convert: impl FnOnce(R) -> T) -> Ending<T> {
        Ending { winner: self.winner, reason: convert(self.reason) }
    }
}
