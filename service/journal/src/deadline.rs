//! When something is due in a match. Who is late, and what follows, is the caller's affair.

use crate::{MatchId, RecordedTime, Seq};

/// What an append does to its match's one deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadlineChange {
    /// Leaves it as it is.
    Keep,
    /// Puts this one in its place.
    Set {
        /// The event after which the deadline counts.
        seq: Seq,
        /// When it is due.
        due: RecordedTime,
    },
    /// Takes it away.
    Clear,
}

/// A match that has something due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// Which match.
    pub match_id: MatchId,
    /// The event after which the deadline counts.
    pub seq: Seq,
    /// When it is due.
    pub due: RecordedTime,
}
