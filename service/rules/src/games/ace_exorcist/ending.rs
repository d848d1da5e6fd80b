//! When a match ends and who wins it (AE-40, AE-41).

use super::state::{EXORCIST, SUMMONER, State};
use crate::{Ending, Side};

/// The ritual cards that complete the ritual (AE-12).
const RITUAL_CARDS: u32 = 3;

/// Consecutive idle moves after which the position before the first of them stands for the third time.
const IDLE_MOVES: u32 = 4;

/// Why the rules end a match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The Summoner has three cards in the Ritual Space (AE-40).
    Ritual,
    /// The loser has no hit points left (AE-40).
    HitPoints,
    /// The loser's draw stack is empty (AE-40).
    Stack,
    /// The same position stood for the third time (AE-41).
    Repetition,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 4] = [Self::Ritual, Self::HitPoints, Self::Stack, Self::Repetition];

    /// Returns the fixed word (G-7).
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ritual => "ritual",
            Self::HitPoints => "hit-points",
            Self::Stack => "stack",
            Self::Repetition => "repetition",
        }
    }
}

/// Tests the conditions of AE-40 in their order. Every step tests them, so the position alone tells whether
/// its last step ended the match.
pub(super) fn by_conditions(state: &State) -> Option<Ending<Reason>> {
    if state.ritual.len() == RITUAL_CARDS {
        return Some(Ending::won(SUMMONER, Reason::Ritual));
    }
    if state.hit_points[EXORCIST] == 0 {
        return Some(Ending::won(SUMMONER, Reason::HitPoints));
    }
    if state.hit_points[SUMMONER] == 0 {
        return Some(Ending::won(EXORCIST, Reason::HitPoints));
    }
    let empty = Side::ALL.into_iter().find(|&seat| state.stack(seat).is_empty())?;
    Some(Ending::won(empty.other(), Reason::Stack))
}

pub(super) fn ending(state: &State) -> Option<Ending<Reason>> {
    let repeated = || Ending::drawn(Reason::Repetition);
    by_conditions(state).or_else(|| (state.idle_moves >= IDLE_MOVES).then(repeated))
}
