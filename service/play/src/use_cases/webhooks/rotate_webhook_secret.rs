//! `RotateWebhookSecret`: a new secret, beside which the old one signs for a day.

use journal::WebhookRow;
use wire::v1 as proto;

use super::ownership::Purpose;
use crate::requests::fields;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Replaces the secret of a generation. A retry returns the same new secret.
    pub async fn rotate_webhook_secret(
        &self,
        caller: &Caller,
        request: proto::RotateWebhookSecretRequest,
    ) -> Result<proto::RotateWebhookSecretResponse, Refusal> {
        let id = fields::webhook_id(&request.webhook_id)?;
        self.webhook_of(caller, id, Purpose::Manage).await?;
        let (replaced, fingerprint, now) =
            (request.current_generation, self.webhooks.key_fingerprint, self.now());
        let row = self.change_webhook(id, |row| {
            let derivable = row.key_fingerprint == fingerprint;
            match row.secret_generation.checked_sub(replaced) {
                Some(0) => {}
                // A retry.
                Some(1) if derivable && replaced > 0 => return Ok(row),
                _ => return Err(not_current(row.secret_generation)),
            }
            Ok(WebhookRow {
                secret_generation: row.secret_generation.saturating_add(1),
                // Nothing can be signed with a secret of a former service key.
                rotate_time: derivable.then_some(now),
                key_fingerprint: fingerprint,
                ..row
            })
        });
        let row = row.await?;
        let secret = self.webhooks.secrets.secret(id, row.secret_generation).text();
        Ok(proto::RotateWebhookSecretResponse { secret, webhook: Some(self.webhook_shown(row).await?) })
    }
}

fn not_current(current: u32) -> Refusal {
    Refusal::field("current_generation", format!("must be {current}, the generation of the current secret"))
}
