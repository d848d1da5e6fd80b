//! `GetWebhook`.

use wire::v1 as proto;

use super::ownership::Purpose;
use crate::requests::fields;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Returns a webhook.
    pub async fn get_webhook(
        &self,
        caller: &Caller,
        request: proto::GetWebhookRequest,
    ) -> Result<proto::GetWebhookResponse, Refusal> {
        let id = fields::webhook_id(&request.webhook_id)?;
        let row = self.webhook_of(caller, id, Purpose::Oversee).await?;
        Ok(proto::GetWebhookResponse { webhook: Some(self.webhook_shown(row).await?) })
    }
}
