//! Webhooks: sends the events of an app's matches to the app's URLs, each at least once. Every replica takes
//! leases of webhooks from the journal (`dispatcher`) and runs a worker for each, which reads the feed from
//! the webhook's position on. The position and what was not delivered are in the journal, so another replica
//! continues where this one stops. The HTTP client is the caller's, behind `WebhookSender`.

mod delivery_id;
mod dispatcher;
mod feed_watcher;
mod payload;
mod permits;
mod schedule;
mod secret;
mod sender;
mod settings;
mod stats;
mod worker;

use std::sync::atomic::AtomicU64;

use tokio::sync::{Notify, watch};
use uuid::Uuid;
use wire::v1::ErrorReason;

use crate::{Refusal, ServiceKey};
use permits::AttemptPermits;
use stats::WebhookStats;

pub(crate) use delivery_id::{delivery_id, parse_delivery_id};
pub(crate) use dispatcher::run as dispatch;
pub(crate) use feed_watcher::run as watch_feed;
pub(crate) use payload::kind_word;
pub(crate) use secret::{WebhookSecrets, previous_until};

pub use sender::{AttemptOutcome, OutgoingWebhook, WebhookSender};
pub use settings::{WebhookLimits, WebhookSettings};
pub use stats::AttemptResult;

/// What the webhooks of one replica share.
pub(crate) struct Webhooks {
    /// `None` if the service has no webhooks.
    settings: Option<WebhookSettings>,
    pub(crate) secrets: WebhookSecrets,
    /// Names the service key that secrets derive from.
    pub(crate) key_fingerprint: [u8; 32],
    /// Names this run of the replica as a holder of leases.
    holder: Uuid,
    permits: AttemptPermits,
    stats: WebhookStats,
    /// The number of webhooks that this replica delivers for.
    leased: AtomicU64,
    /// Wakes the dispatcher after a change of a webhook on this replica.
    changed: Notify,
    /// Changes whenever the feed has new events.
    feed_moved: watch::Sender<()>,
    /// True once no more attempts are made.
    ended: watch::Sender<bool>,
}

impl Webhooks {
    pub(crate) fn new(key: &ServiceKey, settings: Option<WebhookSettings>) -> Self {
        let limits = settings.as_ref().map(|settings| settings.limits.clone()).unwrap_or_default();
        Self {
            secrets: WebhookSecrets::new(key),
            key_fingerprint: key.fingerprint(),
            holder: Uuid::new_v4(),
            permits: AttemptPermits::new(&limits),
            stats: WebhookStats::default(),
            leased: AtomicU64::new(0),
            changed: Notify::new(),
            feed_moved: watch::Sender::default(),
            ended: watch::Sender::new(settings.is_none()),
            settings,
        }
    }

    /// Returns the settings, or refuses if the service has no webhooks.
    pub(crate) fn settings(&self) -> Result<&WebhookSettings, Refusal> {
        self.settings.as_ref().ok_or_else(|| {
            Refusal::new(ErrorReason::WebhooksOff, "this service is configured without webhooks")
        })
    }

    /// Returns whether the service has webhooks.
    pub(crate) fn are_on(&self) -> bool {
        self.settings.is_some()
    }

    /// Lets this replica's deliveries follow a change at once. Other replicas learn of it when they renew
    /// their leases.
    pub(crate) fn changed(&self) {
        self.changed.notify_one();
    }

    /// Waits until no more attempts are made, after the shutdown has begun.
    pub(crate) async fn ended(&self) {
        // The sender lives as long as this.
        let _ = self.ended.subscribe().wait_for(|ended| *ended).await;
    }
}
