//! The configuration of webhooks.

use std::sync::Arc;
use std::time::Duration;

use super::WebhookSender;

/// How events are sent to webhooks.
#[derive(Clone)]
pub struct WebhookSettings {
    /// Sends requests.
    pub sender: Arc<dyn WebhookSender>,
    /// Bounds of what is sent and kept.
    pub limits: WebhookLimits,
}

/// Bounds of webhooks.
#[derive(Clone, Debug)]
pub struct WebhookLimits {
    /// Maximum webhooks per API key.
    pub per_key: u32,
    /// Time from an event's first attempt to its last; then it is a dead letter.
    pub give_up_after: Duration,
    /// Pause before the second attempt; it doubles with each further one, up to six hours.
    pub first_retry: Duration,
    /// Maximum undelivered events per webhook that are sent again; at this number no further events are
    /// sent.
    pub pending: usize,
    /// Number of dead letters at which a webhook is disabled.
    pub dead_letters: u64,
    /// Maximum concurrent attempts of this replica.
    pub attempts: usize,
    /// Maximum concurrent attempts for the webhooks of one API key.
    pub attempts_per_key: usize,
    /// How long a replica that is gone keeps others from its webhooks.
    pub lease: Duration,
}

impl Default for WebhookLimits {
    fn default() -> Self {
        Self {
            per_key: 10,
            give_up_after: Duration::from_secs(3 * 24 * 60 * 60),
            first_retry: Duration::from_secs(5),
            pending: 100,
            dead_letters: 10_000,
            attempts: 256,
            attempts_per_key: 8,
            lease: Duration::from_secs(15),
        }
    }
}
