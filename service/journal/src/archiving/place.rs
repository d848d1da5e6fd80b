//! Rows about the archive.

use uuid::Uuid;

use crate::{FeedCursor, Head};

/// Where the log of an archived match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchivedPlace {
    /// The segment.
    pub segment: Uuid,
    /// The match's last event, whose hash covers the whole log.
    pub head: Head,
}

/// A segment that the database knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentRow {
    /// The segment.
    pub segment: Uuid,
    /// Whether the database relies on it.
    pub state: SegmentState,
}

/// Whether the database relies on a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentState {
    /// It may be incomplete or missing: the matches are still in the database.
    Writing,
    /// It is the only place where its matches' logs are.
    Archived {
        /// Number of matches.
        matches: u64,
        /// Number of their events.
        events: u64,
        /// Size in bytes.
        bytes: u64,
    },
}

/// The events that webhooks may still need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedNeeds {
    /// Every webhook has read the feed up to here; `None` without webhooks.
    pub read_up_to: Option<FeedCursor>,
    /// The first event that may be sent again; `None` if there is none.
    pub first_pending: Option<FeedCursor>,
}

impl FeedNeeds {
    /// Returns whether no webhook needs a match whose last event is at this position.
    #[must_use]
    pub fn release(&self, last: FeedCursor) -> bool {
        self.read_up_to.is_none_or(|read| last <= read) && self.first_pending.is_none_or(|first| last < first)
    }
}
