//! The question and the answer of a read from the feed.

use super::cursor::FeedCursor;
use super::item::FeedItem;
use crate::{Hlc, Scope};

/// A query for a page of the feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedQuery {
    /// The position after which to read; `None` for the beginning.
    pub after: Option<FeedCursor>,
    /// The matches whose events to return.
    pub scope: Scope,
    /// The last `Hlc` to return; `None` for no limit.
    pub until: Option<Hlc>,
    /// Maximum number of events. A page of large events ends earlier.
    pub limit: u32,
}

/// A page of the feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedPage {
    /// The events, in the feed's order.
    pub events: Vec<FeedItem>,
    /// The position after which to continue. It may lie after the last event, if the events between are out
    /// of scope.
    pub next: Option<FeedCursor>,
    /// The newest event's `Hlc` when the page was read, in scope or not. Use it as `until` to read up to now.
    pub newest: Hlc,
    /// Why the page ends.
    pub end: FeedEnd,
}

/// Why a page ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedEnd {
    /// The page is full; there may be more.
    Full,
    /// There are no events after it. `Journal::wait_for_feed` resolves when there are.
    CaughtUp,
    /// The events after it are not final yet. `Journal::wait_for_feed` makes the writers that hold it back
    /// commit.
    HeldBack,
}

impl FeedQuery {
    /// Creates a query for all events in a scope, from the beginning.
    #[must_use]
    pub fn new(scope: Scope, limit: u32) -> FeedQuery {
        FeedQuery { after: None, scope, until: None, limit }
    }
}
