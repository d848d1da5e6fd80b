//! What a viewer may see of a match: everything.

use alloc::vec::Vec;

use super::board::piece::Piece;
use super::state::State;
use crate::BySide;

/// A position as every viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The pieces in place order: cells first, each plane row by row.
    pub pieces: Vec<Piece>,
    /// The mana of each seat.
    pub mana: BySide<u32>,
    /// Turns taken by both seats.
    pub turns_taken: u32,
    /// Number of turns after which the match is a draw.
    pub max_turns: u32,
    /// Turns since the last capture or Conjure; at 100 the match is a draw.
    pub quiet_turns: u32,
    /// How many times the position has occurred, including now; the third time is a draw.
    pub occurrences: u32,
}

pub(super) fn view(state: &State) -> View {
    View {
        pieces: state.position().board.pieces().collect(),
        mana: state.position().mana,
        turns_taken: state.turns_taken,
        max_turns: state.max_turns,
        quiet_turns: state.quiet_turns,
        occurrences: state.occurrences(),
    }
}
