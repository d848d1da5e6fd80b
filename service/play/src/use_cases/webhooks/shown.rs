//! Webhooks and dead letters as their owner sees them.

use journal::{DeliveryRow, DeliveryStatus, WebhookRow, WebhookState};
use replay::timestamp_to_wire;
use wire::v1 as proto;

use crate::refusal::of_read_error;
use crate::webhooks::{delivery_id, kind_word, previous_until};
use crate::{Play, Refusal};

impl Play {
    /// Returns a webhook with the numbers of its undelivered events.
    pub(super) async fn webhook_shown(&self, row: WebhookRow) -> Result<proto::Webhook, Refusal> {
        let count = async |status| {
            let count = self.journal.webhooks().count_deliveries(row.webhook_id, status).await;
            count.map(|count| u32::try_from(count).unwrap_or(u32::MAX)).map_err(of_read_error)
        };
        let (pending_count, dead_letter_count) =
            (count(DeliveryStatus::Pending).await?, count(DeliveryStatus::Dead).await?);
        let now = self.now();
        let state = self.state_shown(&row);
        Ok(proto::Webhook {
            webhook_id: row.webhook_id.to_string(),
            state: state.into(),
            create_time: Some(timestamp_to_wire(row.create_time)),
            secret_generation: row.secret_generation,
            previous_secret_until: previous_until(&row).filter(|until| now < *until).map(timestamp_to_wire),
            pending_count,
            dead_letter_count,
            kinds: row.kinds.iter().map(|kind| kind_word(*kind)).collect(),
            owner: row.owner,
            url: row.url,
        })
    }

    fn state_shown(&self, row: &WebhookRow) -> proto::WebhookState {
        match row.state {
            WebhookState::Disabled => proto::WebhookState::Disabled,
            _ if row.key_fingerprint != self.webhooks.key_fingerprint => proto::WebhookState::NeedsSecret,
            WebhookState::Enabled => proto::WebhookState::Enabled,
            WebhookState::Gone => proto::WebhookState::Gone,
            WebhookState::DeadLetters => proto::WebhookState::TooManyDeadLetters,
        }
    }
}

pub(super) fn dead_letter(row: &DeliveryRow) -> proto::DeadLetter {
    proto::DeadLetter {
        delivery_id: delivery_id(row.position),
        match_id: row.position.match_id().to_string(),
        seq: row.position.seq().0,
        kind: kind_word(row.kind),
        attempts: row.attempts,
        create_time: Some(timestamp_to_wire(row.create_time)),
        dead_time: Some(timestamp_to_wire(row.next_time)),
        failure: row.failure.clone(),
    }
}
