//! One attempt to deliver an event, and the events of a match in order.

use journal::{DeliveryRow, DeliveryStatus, WebhookRow};
use wire::v1::WebhookPayload;

use super::Worker;
use crate::webhooks::payload::EventToSend;
use crate::webhooks::schedule::after_failure;
use crate::webhooks::{AttemptOutcome, OutgoingWebhook};
use crate::{Play, Refusal};

/// What came of the events of one match.
#[derive(Default)]
pub(super) struct Sent {
    /// Those that were not delivered, in order. Only the first was tried, if any.
    pub undelivered: Vec<DeliveryRow>,
    /// Whether the receiver wants no more events.
    pub gone: bool,
}

impl Worker {
    /// Sends events of one match one after the other, until one fails or the service shuts down.
    pub(super) async fn send_in_order(&self, events: &[EventToSend]) -> Result<Sent, Refusal> {
        let mut sent = Sent::default();
        let Some(first) = events.first() else { return Ok(sent) };
        let match_id = first.position.match_id();
        let payloads = self.play.webhook_payloads(self.id(), match_id, events).await?;
        for (event, payload) in events.iter().zip(payloads) {
            let untried = self.untried(*event);
            if !sent.undelivered.is_empty() || self.shutdown.has_begun() {
                sent.undelivered.push(untried);
                continue;
            }
            let outcome = self.attempt(payload).await;
            sent.gone |= outcome.is_gone();
            if !outcome.is_delivered() {
                let (now, limits) = (self.play.now(), &self.settings.limits);
                sent.undelivered.push(after_failure(&untried, outcome.failure(), now, limits));
            }
        }
        Ok(sent)
    }

    /// Makes one attempt, once there is a permit for it.
    pub(super) async fn attempt(&self, payload: WebhookPayload) -> AttemptOutcome {
        let _permit = self.play.webhooks.permits.acquire(&self.row.owner).await;
        let outcome = self.settings.sender.send(self.play.outgoing(&self.row, payload)).await;
        self.play.webhooks.stats.count(&outcome);
        outcome
    }

    /// Returns the row of an event that waits for its first attempt.
    pub(super) fn untried(&self, event: EventToSend) -> DeliveryRow {
        let now = self.play.now();
        DeliveryRow {
            position: event.position,
            kind: event.kind,
            status: DeliveryStatus::Pending,
            attempts: 0,
            create_time: now,
            next_time: now,
            failure: String::new(),
        }
    }
}

impl Play {
    /// Sends a ping if there is a permit for it.
    pub(crate) async fn ping(&self, row: &WebhookRow, id: String) -> Option<AttemptOutcome> {
        let settings = self.webhooks.settings().ok()?;
        let _permit = self.webhooks.permits.try_acquire(&row.owner)?;
        let payload = self.webhook_ping(row.webhook_id, id);
        let outcome = settings.sender.send(self.outgoing(row, payload)).await;
        self.webhooks.stats.count(&outcome);
        Some(outcome)
    }

    /// Returns an attempt that is made now.
    fn outgoing(&self, row: &WebhookRow, payload: WebhookPayload) -> OutgoingWebhook {
        let now = self.now();
        OutgoingWebhook {
            url: row.url.clone(),
            id: payload.id.clone(),
            timestamp_s: now.0.div_euclid(1_000_000),
            payload,
            secrets: self.webhooks.secrets.in_use(row, now),
        }
    }
}
