//! `DeleteWebhook`.

use wire::v1 as proto;

use super::ownership::{Purpose, unknown_webhook};
use crate::refusal::of_read_error;
use crate::requests::fields;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Deletes a webhook with everything that it has not delivered.
    pub async fn delete_webhook(
        &self,
        caller: &Caller,
        request: proto::DeleteWebhookRequest,
    ) -> Result<proto::DeleteWebhookResponse, Refusal> {
        let id = fields::webhook_id(&request.webhook_id)?;
        self.webhook_of(caller, id, Purpose::Oversee).await?;
        if !self.journal.webhooks().delete_webhook(id).await.map_err(of_read_error)? {
            return Err(unknown_webhook());
        }
        self.webhooks.changed();
        Ok(proto::DeleteWebhookResponse {})
    }
}
