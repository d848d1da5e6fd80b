//! What the delivery of an event needs of a transport.

use async_trait::async_trait;
use wire::v1::WebhookPayload;

use super::secret::WebhookSecret;

/// Sends requests to the URLs of webhooks. It must refuse addresses that the service's callers may not reach
/// through it, follow no redirects, and bound the time of an attempt and the bytes that it reads.
#[async_trait]
pub trait WebhookSender: Send + Sync + 'static {
    /// Returns what a URL must be if it is never sent to.
    fn check_url(&self, url: &str) -> Result<(), String>;

    /// Makes one attempt.
    async fn send(&self, outgoing: OutgoingWebhook) -> AttemptOutcome;
}

/// One attempt to deliver an event.
pub struct OutgoingWebhook {
    /// Where to send it.
    pub url: String,
    /// Names the event, the same in every attempt.
    pub id: String,
    /// The time of the attempt, in seconds since 1970.
    pub timestamp_s: i64,
    /// What to send.
    pub payload: WebhookPayload,
    /// The secrets to sign with, the current one first.
    pub(super) secrets: Vec<WebhookSecret>,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptOutcome {
    /// The receiver answered with this HTTP status.
    Status(u16),
    /// The receiver did not answer in time.
    TimedOut,
    /// The URL's host has no address that the service sends to.
    AddressRefused,
    /// The connection failed, for a reason that may be shown to the owner.
    Unreachable(&'static str),
}

impl OutgoingWebhook {
    /// Returns the signatures of a body, as in the header `webhook-signature`.
    pub fn signature(&self, body: &[u8]) -> String {
        let timestamp = self.timestamp_s.to_string();
        let content = [self.id.as_bytes(), b".", timestamp.as_bytes(), b".", body];
        let signatures: Vec<String> = self.secrets.iter().map(|secret| secret.sign(&content)).collect();
        signatures.join(" ")
    }
}

impl AttemptOutcome {
    /// Returns whether the receiver has taken the event.
    pub fn is_delivered(&self) -> bool {
        matches!(self, Self::Status(200..=299))
    }

    /// Returns whether the receiver wants no more events.
    pub fn is_gone(&self) -> bool {
        *self == Self::Status(410)
    }

    /// Describes a failure to the webhook's owner; empty for none.
    pub fn failure(&self) -> String {
        match self {
            Self::Status(200..=299) => String::new(),
            Self::Status(300..=399) => format!("{}; redirects are not followed", self.status_word()),
            Self::Status(_) => self.status_word(),
            Self::TimedOut => "timed out".to_owned(),
            Self::AddressRefused => "the host has no address that this service sends to".to_owned(),
            Self::Unreachable(why) => (*why).to_owned(),
        }
    }

    fn status_word(&self) -> String {
        match self {
            Self::Status(status) => format!("status {status}"),
            _ => String::new(),
        }
    }
}
