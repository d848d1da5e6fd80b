//! `ListWebhooks`: the caller's webhooks, or for an admin those of all keys.

use journal::{PageSize, WebhookId};
use uuid::Uuid;
use wire::v1 as proto;

use super::ownership::webhook_key;
use crate::access::wrong_role;
use crate::refusal::of_read_error;
use crate::requests::fields;
use crate::{Caller, Play, Refusal, Role};

impl Play {
    /// Returns a page of webhooks, by id.
    pub async fn list_webhooks(
        &self,
        caller: &Caller,
        request: proto::ListWebhooksRequest,
    ) -> Result<proto::ListWebhooksResponse, Refusal> {
        let key = webhook_key(&self.access, caller)?;
        self.webhooks.settings()?;
        let owner = match request.all_owners {
            false => Some(key.name.as_str()),
            true if key.role == Role::Admin => None,
            true => return Err(wrong_role(key, "sees its own webhooks only", &[Role::Admin])),
        };
        let limit = fields::webhooks(request.page_size);
        let list = proto::ListWebhooksRequest { all_owners: request.all_owners, ..Default::default() };
        let tokens = self.page_tokens.of_key("ListWebhooks", &list, Some(key));
        let after = tokens.decode(&request.page_token)?.map(|id| WebhookId(Uuid::from_bytes(id)));
        // One more shows whether there is another page.
        let rows = self.journal.webhooks().list_webhooks(owner, after, PageSize(limit + 1)).await;
        let mut rows = rows.map_err(of_read_error)?;
        let more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let last = rows.last().filter(|_| more).map(|row| row.webhook_id);
        let mut webhooks = Vec::new();
        for row in rows {
            webhooks.push(self.webhook_shown(row).await?);
        }
        Ok(proto::ListWebhooksResponse {
            webhooks,
            next_page_token: last.map(|id| tokens.encode(id.0.as_bytes())).unwrap_or_default(),
        })
    }
}
