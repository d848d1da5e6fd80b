//! `PingWebhook`: one attempt to reach the receiver, now.

use std::time::Duration;

use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason};

use super::ownership::Purpose;
use crate::requests::fields;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Sends a ping and returns what came of it.
    pub async fn ping_webhook(
        &self,
        caller: &Caller,
        request: proto::PingWebhookRequest,
    ) -> Result<proto::PingWebhookResponse, Refusal> {
        let id = fields::webhook_id(&request.webhook_id)?;
        let row = self.webhook_of(caller, id, Purpose::Manage).await?;
        if row.key_fingerprint != self.webhooks.key_fingerprint {
            let must = "must be a webhook with a secret; replace it with RotateWebhookSecret";
            return Err(Refusal::field("webhook_id", must));
        }
        let delivery_id = format!("ping-{}", Uuid::new_v4());
        let outcome = self.ping(&row, delivery_id).await.ok_or_else(|| {
            let message = "as many deliveries of this API key are in progress as may be; retry later";
            Refusal::new(ErrorReason::Overloaded, message).retry_after(Duration::from_secs(1))
        })?;
        Ok(proto::PingWebhookResponse { delivered: outcome.is_delivered(), failure: outcome.failure() })
    }
}
