//! When a match is over and who has won (CC-70, CC-71).

use super::state::{Playing, Stage, State};
use crate::{Ending, Seat};

pub(super) fn is_over(state: &State) -> bool {
    ending(state).is_some()
}

/// Nothing ends a match before its first turn: both kingdoms are founded with 9Q.
pub(super) fn ending(state: &State) -> Option<Ending> {
    let Stage::Playing(playing) = &state.stage else { return None };
    kingdom_lost(playing).or_else(|| {
        let all_taken = playing.turns_taken >= state.max_turns;
        all_taken.then_some(Ending { winner: None, reason: "max-turns" })
    })
}

fn kingdom_lost(playing: &Playing) -> Option<Ending> {
    let totals = playing.totals();
    match (totals[Seat::Zero], totals[Seat::One]) {
        (0, 0) => Some(Ending { winner: None, reason: "both-kingdoms-lost" }),
        (0, _) => Some(Ending { winner: Some(Seat::One), reason: "kingdom-lost" }),
        (_, 0) => Some(Ending { winner: Some(Seat::Zero), reason: "kingdom-lost" }),
        _ => None,
    }
}
