//! `ListDeadLetters`: events that a webhook's receiver did not take in time.

use journal::{DeliveryStatus, FeedCursor, PageSize};
use wire::v1 as proto;

use super::ownership::Purpose;
use super::shown::dead_letter;
use crate::refusal::of_read_error;
use crate::requests::fields;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Returns a page of dead letters, in the feed's order.
    pub async fn list_dead_letters(
        &self,
        caller: &Caller,
        request: proto::ListDeadLettersRequest,
    ) -> Result<proto::ListDeadLettersResponse, Refusal> {
        let id = fields::webhook_id(&request.webhook_id)?;
        self.webhook_of(caller, id, Purpose::Manage).await?;
        let limit = fields::dead_letters(request.page_size);
        let list = proto::ListDeadLettersRequest { webhook_id: request.webhook_id, ..Default::default() };
        let tokens = self.page_tokens.of("ListDeadLetters", &list);
        // The position of an event whose match its owner knows; its bytes hide nothing from it.
        let after = tokens.decode(&request.page_token)?.and_then(|bytes| FeedCursor::from_bytes(&bytes));
        let page = PageSize(limit + 1);
        let rows = self.journal.webhooks().deliveries(id, DeliveryStatus::Dead, after, page).await;
        let mut rows = rows.map_err(of_read_error)?;
        let more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let last = rows.last().filter(|_| more).map(|row| row.position.to_bytes());
        Ok(proto::ListDeadLettersResponse {
            dead_letters: rows.iter().map(dead_letter).collect(),
            next_page_token: last.map(|position| tokens.encode(&position)).unwrap_or_default(),
        })
    }
}
