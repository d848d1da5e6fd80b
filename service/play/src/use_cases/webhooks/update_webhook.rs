//! `UpdateWebhook`: another URL, other kinds, disabled or enabled.

use journal::{WebhookId, WebhookRow, WebhookState};
use wire::v1 as proto;

use super::ownership::{Purpose, unknown_webhook};
use super::request_fields;
use crate::refusal::of_read_error;
use crate::requests::fields;
use crate::{Caller, Play, Refusal};

/// How often a change is tried again while others change the same webhook.
const ATTEMPTS: u32 = 20;

impl Play {
    /// Changes the fields that the request has.
    pub async fn update_webhook(
        &self,
        caller: &Caller,
        request: proto::UpdateWebhookRequest,
    ) -> Result<proto::UpdateWebhookResponse, Refusal> {
        let id = fields::webhook_id(&request.webhook_id)?;
        self.webhook_of(caller, id, Purpose::Manage).await?;
        if let Some(url) = &request.url {
            request_fields::url(self.webhooks.settings()?, url)?;
        }
        let kinds = request.kinds.as_ref();
        let kinds = kinds.map(|kinds| request_fields::kinds("kinds.kinds", &kinds.kinds)).transpose()?;
        let row = self.change_webhook(id, |row| {
            let state = match request.enabled {
                None => row.state,
                Some(true) => WebhookState::Enabled,
                Some(false) => WebhookState::Disabled,
            };
            let (url, kinds) = (request.url.clone(), kinds.clone());
            Ok(WebhookRow { url: url.unwrap_or(row.url), kinds: kinds.unwrap_or(row.kinds), state, ..row })
        });
        Ok(proto::UpdateWebhookResponse { webhook: Some(self.webhook_shown(row.await?).await?) })
    }

    /// Changes a webhook as it is stored now, and again if someone else changes it meanwhile.
    pub(super) async fn change_webhook(
        &self,
        id: WebhookId,
        change: impl Fn(WebhookRow) -> Result<WebhookRow, Refusal>,
    ) -> Result<WebhookRow, Refusal> {
        let store = self.journal.webhooks();
        for _ in 0..ATTEMPTS {
            let row = store.webhook(id).await.map_err(of_read_error)?.ok_or_else(unknown_webhook)?;
            let changed = change(row.clone())?;
            if changed == row {
                return Ok(row);
            }
            if store.update_webhook(&changed).await.map_err(of_read_error)? {
                self.webhooks.changed();
                return Ok(changed);
            }
        }
        let busy = "the webhook is being changed by others; retry later";
        Err(Refusal::new(proto::ErrorReason::Overloaded, busy).retry_after(std::time::Duration::from_secs(1)))
    }
}
