//! Which webhooks a caller may manage.

use journal::{WebhookId, WebhookRow};
use wire::v1::ErrorReason;

use crate::access::{AccessControl, wrong_role};
use crate::refusal::of_read_error;
use crate::{ApiKey, Caller, Play, Refusal, Role};

/// What a caller wants to do with a webhook.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To see or delete it, which an admin may do with those of others.
    Oversee,
    /// To change it or its deliveries, which only its owner may do.
    Manage,
}

/// Returns the key of a caller that may have webhooks.
pub(super) fn webhook_key<'a>(access: &'a AccessControl, caller: &Caller) -> Result<&'a ApiKey, Refusal> {
    match access.key(caller)? {
        Some(key) if key.creates_matches() => Ok(key),
        Some(key) => Err(wrong_role(key, "owns no matches and has no webhooks", &[Role::App, Role::Admin])),
        None if access.is_open() => Err(Refusal::new(
            ErrorReason::MissingKey,
            "webhooks belong to API keys, and this service has none configured; start it with `--api-key`",
        )),
        None => Err(Refusal::new(
            ErrorReason::MissingKey,
            "webhooks belong to API keys; send `authorization: Bearer KEY`",
        )),
    }
}

impl Play {
    /// Returns a webhook that the caller may see for this purpose. Another key's webhook is refused like one
    /// that does not exist.
    pub(super) async fn webhook_of(
        &self,
        caller: &Caller,
        id: WebhookId,
        purpose: Purpose,
    ) -> Result<WebhookRow, Refusal> {
        let key = webhook_key(&self.access, caller)?;
        self.webhooks.settings()?;
        let row = self.journal.webhooks().webhook(id).await.map_err(of_read_error)?;
        let oversees = key.role == Role::Admin && purpose == Purpose::Oversee;
        row.filter(|row| row.owner == key.name || oversees).ok_or_else(unknown_webhook)
    }
}

/// Returns the refusal of a webhook that does not exist, or of another key's.
pub(super) fn unknown_webhook() -> Refusal {
    Refusal::new(
        ErrorReason::UnknownWebhook,
        "webhook not found; check webhook_id, and send the API key that owns it",
    )
}
