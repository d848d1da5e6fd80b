//! When a match ends and who wins it (AD-7, AD-8).

use core::cmp::Ordering;

use super::state::State;
use crate::{Ending, Side};

/// Why the rules end a match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The winner covers more spaces after the last turn (AD-8).
    Count,
    /// Both seats cover equally many spaces after the last turn (AD-8).
    EqualCount,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 2] = [Self::Count, Self::EqualCount];

    /// Returns the fixed word (G-7).
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::EqualCount => "equal-count",
        }
    }
}

/// Returns whether all turns have been taken, which is the only ending.
pub(super) const fn is_over(state: &State) -> bool {
    state.turns_taken == state.options.turns
}

pub(super) fn ending(state: &State) -> Option<Ending<Reason>> {
    if !is_over(state) {
        return None;
    }
    let counts = state.counts();
    Some(match counts[Side::Zero].cmp(&counts[Side::One]) {
        Ordering::Greater => Ending::won(Side::Zero, Reason::Count),
        Ordering::Less => Ending::won(Side::One, Reason::Count),
        Ordering::Equal => Ending::drawn(Reason::EqualCount),
    })
}
