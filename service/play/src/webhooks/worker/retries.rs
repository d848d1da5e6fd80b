//! Sending pending events again.

use event::MatchId;
use futures_util::stream::{self, StreamExt as _};
use journal::{DeliveryRow, DeliveryStatus, FeedCursor, WebhookState};

use super::{Halt, MATCHES_AT_ONCE, Worker};
use crate::webhooks::payload::EventToSend;
use crate::webhooks::schedule::after_failure;

/// What came of the pending events of one match.
#[derive(Default)]
struct Retried {
    /// Events that are no longer pending.
    settled: Vec<FeedCursor>,
    /// The event that failed again.
    failed: Option<DeliveryRow>,
    dead_letters: u64,
    gone: bool,
}

impl Worker {
    /// Sends the pending events that are due, of each match in order. Returns whether there were any.
    pub(super) async fn retry_due(&mut self) -> Result<bool, Halt> {
        let now = self.play.now();
        let heads = self.heads();
        let due: Vec<MatchId> =
            heads.into_iter().filter(|(_, row)| row.next_time <= now).map(|(match_id, _)| match_id).collect();
        if due.is_empty() {
            return Ok(false);
        }
        let worker = &*self;
        let retrying = due.into_iter().map(|match_id| worker.retry_match(match_id));
        let all: Vec<_> = stream::iter(retrying).buffer_unordered(MATCHES_AT_ONCE).collect().await;
        let (mut dead_letters, mut gone) = (0, false);
        for retried in all {
            let retried = retried?;
            retried.settled.iter().for_each(|position| drop(self.pending.remove(position)));
            self.pending.extend(retried.failed.map(|row| (row.position, row)));
            dead_letters += retried.dead_letters;
            gone |= retried.gone;
        }
        if gone {
            return Err(self.disable(WebhookState::Gone).await?);
        }
        if dead_letters > 0 && self.has_too_many_dead_letters().await? {
            return Err(self.disable(WebhookState::DeadLetters).await?);
        }
        Ok(true)
    }

    /// Sends a match's pending events, until one fails and is not given up.
    async fn retry_match(&self, match_id: MatchId) -> Result<Retried, Halt> {
        let store = self.play.journal.webhooks();
        let mut retried = Retried::default();
        for row in self.pending.values().filter(|row| row.position.match_id() == match_id) {
            if self.shutdown.has_begun() {
                break;
            }
            let event = EventToSend { position: row.position, kind: row.kind };
            let payloads = self.play.webhook_payloads(self.id(), match_id, &[event]).await?;
            let Some(payload) = payloads.into_iter().next() else { break };
            let outcome = self.attempt(payload).await;
            if outcome.is_delivered() {
                store.delete_delivery(self.id(), row.position).await?;
                retried.settled.push(row.position);
                continue;
            }
            let failed = after_failure(row, outcome.failure(), self.play.now(), &self.settings.limits);
            if !store.update_delivery(self.id(), self.epoch, &failed).await? {
                return Err(Halt::Ended);
            }
            if outcome.is_gone() || failed.status == DeliveryStatus::Pending {
                (retried.gone, retried.failed) = (outcome.is_gone(), Some(failed));
                break;
            }
            self.count_dead_letter(&failed);
            retried.settled.push(failed.position);
            retried.dead_letters += 1;
        }
        Ok(retried)
    }

    pub(super) fn count_dead_letter(&self, row: &DeliveryRow) {
        self.play.webhooks.stats.count_dead_letter();
        tracing::warn!(
            webhook.id = %self.id(),
            match.id = %row.position.match_id(),
            match.seq = row.position.seq().0,
            attempts = row.attempts,
            "an event was given up and is a dead letter of its webhook"
        );
    }

    async fn has_too_many_dead_letters(&self) -> Result<bool, Halt> {
        let count = self.play.journal.webhooks().count_deliveries(self.id(), DeliveryStatus::Dead).await?;
        Ok(count >= self.settings.limits.dead_letters)
    }
}
