//! The feed: all events of all matches in one order that never changes, for readers that come back at any place.
//!
//! **The order** is (clock, match, seq). The clock of a batch grows along its lane and along each match, so a match's
//! events keep their order, and those of one batch stand under one clock. Nothing but the events themselves is needed
//! for it: the feed works from the beginning of time, whatever has been deleted from the commit log.
//!
//! **The frontier.** A reader must not pass a place at which something may yet appear. A lane's next batch has a larger
//! clock than its last, so below and at the smallest last clock of all open lanes everything is final. One statement
//! reads the lanes and their last commits, so this holds for its snapshot. It goes on holding, because
//! - a lane that opens later asks, after its opening is visible, for the largest clock ever committed, and stays above
//!   it. Whoever did not see the lane had a frontier that was not above that clock; whoever saw it waits for it;
//! - a closed lane writes no more: its closing commit has taken the number that a late batch would need.
//!
//! **Idle lanes** would hold the frontier back until they say that they live. So a reader that waits, and that sees
//! events above the frontier, asks: its own lanes by a signal, other replicas by an empty commit that their tailers
//! read. A lane that is behind answers with an empty commit above the clock that is wanted. While nothing happens, or
//! nobody waits, nothing is written. A replica that has died holds the frontier until its lanes are closed for silence.

mod cursor;
mod frontier;
mod signals;

use event::RedactedEvent;

use crate::context::Context;
use crate::{Clock, ReadError, Scope, Visibility};

pub use self::cursor::FeedCursor;
pub(crate) use self::frontier::{LanesSeen, news};
pub(crate) use self::signals::{Signals, Wanted};

/// What a reader of the feed asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedQuery {
    /// The place after which to read; none for the beginning.
    pub after: Option<FeedCursor>,
    /// Only events of these matches.
    pub scope: Scope,
    /// Nothing above this clock; none for all that there is.
    pub until: Option<Clock>,
    /// At most so many events.
    pub limit: u32,
}

/// A stretch of the feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedPage {
    /// The events, in the feed's order.
    pub events: Vec<FeedItem>,
    /// Where to read on. It may lie behind the last event: what lies between is not of the query's scope.
    pub next: Option<FeedCursor>,
    /// The newest event's clock as the page was read, whosever it is: an `until` for who wants an end.
    pub newest: Clock,
    /// Whether to read on at once.
    pub end: FeedEnd,
}

/// Why a page ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedEnd {
    /// It is full, there may be more at once.
    Full,
    /// Nothing lies behind it; `Journal::feed_news` tells when there is more.
    CaughtUp,
    /// What lies behind it is not final yet; `Journal::feed_news` asks the lanes that hold it back and waits for them.
    HeldBack,
}

/// An event of the feed: without its secret and without its request, which never leave the journal this way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedItem {
    /// Place in the feed.
    pub cursor: FeedCursor,
    /// The event, its sealed part reduced to the commitment.
    pub event: RedactedEvent,
}

/// A place in the feed, and its event if the reader may have it.
#[derive(Clone, Debug)]
pub(crate) struct FeedRow {
    pub(crate) cursor: FeedCursor,
    pub(crate) item: Option<FeedItem>,
}

/// What a store reads for the feed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FeedRange<'a> {
    pub(crate) after: FeedCursor,
    /// Nothing above this clock.
    pub(crate) until: Clock,
    pub(crate) scope: &'a Scope,
    pub(crate) limit: u32,
}

/// Events that a page passes over at most, looking for those of a scope.
const LOOKED_THROUGH: u32 = 4096;

impl FeedQuery {
    /// Everything of a scope, from the beginning on.
    #[must_use]
    pub fn new(scope: Scope, limit: u32) -> FeedQuery {
        FeedQuery { after: None, scope, until: None, limit }
    }
}

impl Scope {
    /// The owner and the visibility of which an event's match must have one; none for every match.
    pub(crate) fn feed_columns(&self) -> Option<(Option<&str>, Option<&'static str>)> {
        match self {
            Scope::Everything => None,
            Scope::OwnedBy(owner) => Some((Some(owner), None)),
            Scope::Public => Some((None, Some(Visibility::Public.as_str()))),
            Scope::PublicOrOwnedBy(owner) => Some((Some(owner), Some(Visibility::Public.as_str()))),
        }
    }
}

/// Reads a page of what is final.
pub(crate) async fn page(context: &Context, query: &FeedQuery) -> Result<FeedPage, ReadError> {
    let _turn = context.feed.turn_to_read().await;
    let lanes = context.store.lanes().await?;
    let (frontier, until) = (lanes.frontier(), query.until.unwrap_or(Clock(i64::MAX)));
    let limit = if query.scope == Scope::Everything { query.limit } else { query.limit.max(LOOKED_THROUGH) };
    let after = query.after.unwrap_or(FeedCursor::BEGINNING);
    let range = FeedRange { after, until: frontier.min(until), scope: &query.scope, limit };
    let rows = context.store.past_feed(&range).await?;
    let mut end = match rows.len() < limit as usize {
        true if lanes.newest_event.min(until) <= frontier => FeedEnd::CaughtUp,
        true => FeedEnd::HeldBack,
        false => FeedEnd::Full,
    };
    let mut next = query.after;
    let mut events = Vec::new();
    for row in rows {
        if events.len() == query.limit as usize {
            end = FeedEnd::Full;
            break;
        }
        next = Some(row.cursor);
        events.extend(row.item);
    }
    Ok(FeedPage { events, next, newest: lanes.newest_event, end })
}
