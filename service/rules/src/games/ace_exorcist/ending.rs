//! When a match is over and who has won (AE-40, AE-41).

use super::state::{EXORCIST, SUMMONER, State};
use crate::{Ending, Seat};

/// Ritual cards that make a summons (AE-12).
const SUMMONS: u32 = 3;

/// So many moves in a row that change nothing bring the position where the first of them was made for the third time.
const IDLE_MOVES: u32 = 4;

const fn won(winner: Seat, reason: &'static str) -> Option<Ending> {
    Some(Ending { winner: Some(winner), reason })
}

/// The conditions of AE-40 in their order. No step follows one that made a condition true, so looking at a position tells
/// whether its last step ended the match.
pub(super) fn by_conditions(state: &State) -> Option<Ending> {
    if state.ritual.len() == SUMMONS {
        return won(SUMMONER, "ritual");
    }
    if state.hit_points[EXORCIST] == 0 {
        return won(SUMMONER, "hit-points");
    }
    if state.hit_points[SUMMONER] == 0 {
        return won(EXORCIST, "hit-points");
    }
    let empty = Seat::ALL.into_iter().find(|&seat| state.stack(seat).is_empty())?;
    won(empty.other(), "stack")
}

pub(super) fn ending(state: &State) -> Option<Ending> {
    let repeated = || Ending { winner: None, reason: "repetition" };
    by_conditions(state).or_else(|| (state.idle_moves >= IDLE_MOVES).then(repeated))
}
