//! How the rules end a match. Resignation, time and other endings from outside the rules (G-4) are not made here.

use crate::Seat;

/// The result of a match that its rules have ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    /// The seat that won, or none in a draw.
    pub winner: Option<Seat>,
    /// The fixed word that the game's rules give this ending (G-7), such as `count`.
    pub reason: &'static str,
}
