//! An event that a webhook's receiver has not taken.

use crate::{FeedCursor, RecordTime};

/// An event that was not delivered to a webhook: it is to be sent again, or was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryRow {
    /// The event's position in the feed.
    pub position: FeedCursor,
    /// The event's kind.
    pub kind: u16,
    /// Whether it is sent again.
    pub status: DeliveryStatus,
    /// The number of attempts.
    pub attempts: u32,
    /// When it first was to be sent, or when its owner asked for it again.
    pub create_time: RecordTime,
    /// When it is sent again; for a dead letter, when it was given up.
    pub next_time: RecordTime,
    /// Why the last attempt failed, at most 200 characters; empty if there was none.
    pub failure: String,
}

/// Whether an undelivered event is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeliveryStatus {
    /// It is sent again.
    Pending,
    /// It is a dead letter, sent again only if the owner asks for it.
    Dead,
}

impl DeliveryStatus {
    /// Returns the word that databases store.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            DeliveryStatus::Pending => "pending",
            DeliveryStatus::Dead => "dead",
        }
    }

    /// Parses the word that databases store.
    pub(crate) fn from_word(word: &str) -> Option<DeliveryStatus> {
        [DeliveryStatus::Pending, DeliveryStatus::Dead].into_iter().find(|status| status.as_str() == word)
    }
}
