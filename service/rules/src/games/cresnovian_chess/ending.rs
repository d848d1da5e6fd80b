//! When a match ends and who wins it (CC-70, CC-71).

use super::state::{Playing, Stage, State};
use crate::{Ending, Side};

/// Why the rules end a match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The loser's kingdom has no Q left (CC-70).
    KingdomLost,
    /// Neither kingdom has any Q left (CC-70).
    BothKingdomsLost,
    /// The last turn has been taken (CC-71).
    MaxTurns,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 3] = [Self::KingdomLost, Self::BothKingdomsLost, Self::MaxTurns];

    /// Returns the fixed word (G-7).
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::KingdomLost => "kingdom-lost",
            Self::BothKingdomsLost => "both-kingdoms-lost",
            Self::MaxTurns => "max-turns",
        }
    }
}

pub(super) fn is_over(state: &State) -> bool {
    ending(state).is_some()
}

/// Returns how the match ended. Nothing ends it before the first turn: both kingdoms start with 9Q.
pub(super) fn ending(state: &State) -> Option<Ending<Reason>> {
    let Stage::Playing(playing) = &state.stage else { return None };
    kingdom_lost(playing)
        .or_else(|| (playing.turns_taken >= state.max_turns).then_some(Ending::drawn(Reason::MaxTurns)))
}

fn kingdom_lost(playing: &Playing) -> Option<Ending<Reason>> {
    let totals = playing.totals();
    match (totals[Side::Zero], totals[Side::One]) {
        (0, 0) => Some(Ending::drawn(Reason::BothKingdomsLost)),
        (0, _) => Some(Ending::won(Side::One, Reason::KingdomLost)),
        (_, 0) => Some(Ending::won(Side::Zero, Reason::KingdomLost)),
        _ => None,
    }
}
