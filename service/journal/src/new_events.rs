//! The notice that a match has new events.

use crate::{MatchId, Seq};

/// The notice that a match has new events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewEvents {
    /// The match.
    pub match_id: MatchId,
    /// The last event of the commit.
    pub head: Seq,
}
