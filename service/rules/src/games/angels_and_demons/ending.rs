//! When a match is over and who has won (AD-7, AD-8).

use core::cmp::Ordering;

use super::state::State;
use crate::{Ending, Seat};

/// Whether all turns have been taken; nothing else ends a match.
pub(super) const fn is_over(state: &State) -> bool {
    state.turns_taken == state.options.turns
}

pub(super) fn ending(state: &State) -> Option<Ending> {
    if !is_over(state) {
        return None;
    }
    let counts = state.counts();
    let (winner, reason) = match counts[Seat::Zero].cmp(&counts[Seat::One]) {
        Ordering::Greater => (Some(Seat::Zero), "count"),
        Ordering::Less => (Some(Seat::One), "count"),
        Ordering::Equal => (None, "equal-count"),
    };
    Some(Ending { winner, reason })
}
