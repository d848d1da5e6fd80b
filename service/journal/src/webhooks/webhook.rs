//! A webhook, and the lease under which one replica delivers for it.

use std::fmt;
use std::time::Duration;

use uuid::Uuid;

use crate::{FeedCursor, RecordTime};

/// The id of a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WebhookId(pub Uuid);

/// A webhook: where an owner's events are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookRow {
    /// The webhook.
    pub webhook_id: WebhookId,
    /// The name of the API key whose events it gets.
    pub owner: String,
    /// Where they are sent.
    pub url: String,
    /// The kinds of events that it gets; empty for all.
    pub kinds: Vec<u16>,
    /// Whether it gets any.
    pub state: WebhookState,
    /// The service key that its secret derives from.
    pub key_fingerprint: [u8; 32],
    /// The number of secrets that it has had.
    pub secret_generation: u32,
    /// When its secret was last replaced.
    pub rotate_time: Option<RecordTime>,
    /// When it was created.
    pub create_time: RecordTime,
    /// Grows with each change of the fields above, and when dead letters are to be sent again.
    pub revision: i64,
    /// The place in the feed up to which everything was delivered or is in the table of deliveries. Only the
    /// lease's holder moves it.
    pub position: FeedCursor,
}

/// Whether a webhook gets events, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WebhookState {
    /// It gets events.
    Enabled,
    /// Its owner has disabled it.
    Disabled,
    /// Its receiver answered that it is gone for good.
    Gone,
    /// It had too many dead letters.
    DeadLetters,
}

/// Counts the holders of a webhook's lease. A former holder's writes change nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeaseEpoch(pub i64);

/// Asks for the leases of webhooks that are free or already the holder's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseRequest {
    /// The run of a replica that will hold them.
    pub holder: Uuid,
    /// How long it holds them, by the database's clock.
    pub duration: Duration,
    /// Only webhooks whose secret derives from this service key.
    pub key_fingerprint: [u8; 32],
    /// Maximum number of webhooks, those that it already holds included.
    pub limit: u32,
}

/// A webhook whose lease the asking replica holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeasedWebhook {
    /// The webhook.
    pub row: WebhookRow,
    /// Fences the lease's former holders.
    pub epoch: LeaseEpoch,
}

impl WebhookState {
    const ALL: [WebhookState; 4] =
        [WebhookState::Enabled, WebhookState::Disabled, WebhookState::Gone, WebhookState::DeadLetters];

    /// Returns the word that databases store.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            WebhookState::Enabled => "enabled",
            WebhookState::Disabled => "disabled",
            WebhookState::Gone => "gone",
            WebhookState::DeadLetters => "dead_letters",
        }
    }

    /// Parses the word that databases store.
    pub(crate) fn from_word(word: &str) -> Option<WebhookState> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

impl fmt::Display for WebhookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
