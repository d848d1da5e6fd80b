//! Deadlines of matches. What follows when one passes is up to the caller.

use crate::{MatchId, RecordTime, Seq};

/// What an append does to its match's deadline. A match has at most one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadlineChange {
    /// Keeps the deadline, if there is one.
    Keep,
    /// Sets or replaces the deadline.
    Set {
        /// The event from which the deadline counts.
        seq: Seq,
        /// The time at which it passes.
        due: RecordTime,
    },
    /// Removes the deadline.
    Clear,
}

/// The deadline of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The match.
    pub match_id: MatchId,
    /// The event from which the deadline counts.
    pub seq: Seq,
    /// The time at which it passes.
    pub due: RecordTime,
}
