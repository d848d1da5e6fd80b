//! An event of the feed.

use event::RedactedEvent;

use super::cursor::FeedCursor;

/// An event of the feed. Sealed bytes and request hashes never leave the journal this way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedItem {
    /// The event's position in the feed.
    pub cursor: FeedCursor,
    /// The event; of its sealed part only the commitment.
    pub event: RedactedEvent,
}
