//! `CreateWebhook`: events of the caller's matches are sent to a URL from now on.

use journal::{WebhookId, WebhookRow, WebhookState};
use uuid::Uuid;
use wire::v1::{self as proto, ErrorReason};

use super::ownership::webhook_key;
use super::request_fields;
use crate::refusal::of_read_error;
use crate::requests::{RequestHash, fields, request_id_reused};
use crate::{Caller, Play, Refusal};

/// How often an insert is tried while others of the same owner come first.
const ATTEMPTS: u32 = 20;

impl Play {
    /// Creates a webhook, or returns the one that the same request of the owner created before.
    pub async fn create_webhook(
        &self,
        caller: &Caller,
        request: proto::CreateWebhookRequest,
    ) -> Result<proto::CreateWebhookResponse, Refusal> {
        let owner = webhook_key(&self.access, caller)?.name.clone();
        let settings = self.webhooks.settings()?;
        let request_id = fields::request_id(request.request_id.as_deref())?;
        request_fields::url(settings, &request.url)?;
        let row = WebhookRow {
            webhook_id: request_id.map_or_else(|| WebhookId(Uuid::now_v7()), |id| id_of(&owner, id)),
            url: request.url,
            kinds: request_fields::kinds("kinds", &request.kinds)?,
            state: WebhookState::Enabled,
            key_fingerprint: self.webhooks.key_fingerprint,
            secret_generation: 1,
            rotate_time: None,
            create_time: self.now(),
            revision: 1,
            position: self.journal.feed_frontier().await.map_err(of_read_error)?,
            owner,
        };
        let stored = self.insert_webhook(row, settings.limits.per_key).await?;
        // A secret that was replaced is not shown again.
        let first = stored.secret_generation == 1 && stored.key_fingerprint == self.webhooks.key_fingerprint;
        let secret = self.webhooks.secrets.secret(stored.webhook_id, 1);
        Ok(proto::CreateWebhookResponse {
            secret: if first { secret.text() } else { String::new() },
            webhook: Some(self.webhook_shown(stored).await?),
        })
    }

    /// Stores a new webhook. Returns the stored one: this or the one that a former call stored.
    async fn insert_webhook(&self, row: WebhookRow, max: u32) -> Result<WebhookRow, Refusal> {
        let store = self.journal.webhooks();
        for _ in 0..ATTEMPTS {
            if store.insert_webhook(&row, max).await.map_err(of_read_error)? {
                self.webhooks.changed();
                return Ok(row);
            }
            if let Some(stored) = store.webhook(row.webhook_id).await.map_err(of_read_error)? {
                return same(stored, &row);
            }
            let page = journal::PageSize(max);
            let owned = store.list_webhooks(Some(&row.owner), None, page).await.map_err(of_read_error)?;
            if owned.len() >= max as usize {
                return Err(too_many(max));
            }
        }
        Err(too_many(max))
    }
}

/// Returns the id of the webhook that a request creates, so that its retry finds it.
fn id_of(owner: &str, request_id: Uuid) -> WebhookId {
    let RequestHash(hash) = RequestHash::of_webhook(owner, request_id);
    let bytes = *hash.first_chunk().expect("a hash has 32 bytes");
    WebhookId(uuid::Builder::from_custom_bytes(bytes).into_uuid())
}

/// Returns the webhook that the request has created before; refuses if it asked for another one.
fn same(stored: WebhookRow, asked: &WebhookRow) -> Result<WebhookRow, Refusal> {
    match stored.revision == 1 && (&stored.url, &stored.kinds) != (&asked.url, &asked.kinds) {
        true => Err(request_id_reused()),
        false => Ok(stored),
    }
}

fn too_many(max: u32) -> Refusal {
    let message = format!("the API key has {max} webhooks already; delete one first");
    Refusal::new(ErrorReason::TooManyWebhooks, message).with("max_webhooks", max)
}
