//! `RetryDeadLetters`.

use wire::v1 as proto;

use super::ownership::Purpose;
use crate::refusal::of_read_error;
use crate::requests::fields;
use crate::webhooks::parse_delivery_id;
use crate::{Caller, Play, Refusal};

/// Maximum number of deliveries that a request may name.
const MAX_IDS: usize = 200;

impl Play {
    /// Makes dead letters pending again: those that the request names, or all.
    pub async fn retry_dead_letters(
        &self,
        caller: &Caller,
        request: proto::RetryDeadLettersRequest,
    ) -> Result<proto::RetryDeadLettersResponse, Refusal> {
        let id = fields::webhook_id(&request.webhook_id)?;
        self.webhook_of(caller, id, Purpose::Manage).await?;
        if request.delivery_ids.len() > MAX_IDS {
            return Err(Refusal::field("delivery_ids", format!("must have at most {MAX_IDS} IDs")));
        }
        let named = request.delivery_ids.iter().enumerate();
        let events = named.map(|(index, text)| parse_delivery_id(&format!("delivery_ids[{index}]"), text));
        let events = events.collect::<Result<Vec<_>, Refusal>>()?;
        let events = (!events.is_empty()).then_some(&events[..]);
        let retried = self.journal.webhooks().retry_dead_letters(id, events, self.now()).await;
        let retried = retried.map_err(of_read_error)?;
        self.webhooks.changed();
        Ok(proto::RetryDeadLettersResponse { retried_count: u32::try_from(retried).unwrap_or(u32::MAX) })
    }
}
