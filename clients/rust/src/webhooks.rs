//! The webhooks of an API key.

use wire::v1::{
    CreateWebhookRequest, CreateWebhookResponse, DeadLetter, DeleteWebhookRequest, GetWebhookRequest,
    ListDeadLettersRequest, ListWebhooksRequest, PingWebhookRequest, PingWebhookResponse,
    RetryDeadLettersRequest, RotateWebhookSecretRequest, RotateWebhookSecretResponse, UpdateWebhookRequest,
    Webhook, WebhookKinds,
};

use crate::client::Client;
use crate::error::Error;
use crate::request_id;

/// The largest page of webhooks and of dead letters.
const PAGE: u32 = 200;

/// Receivers of the events of an API key's matches. Every call requires that key.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use matchbook_client::Client;
///
/// let client = Client::connect("127.0.0.1:7420").await?.with_api_key("mbk_...")?;
/// let created = client.webhooks().create("https://example.org/events", &["match_ended"]).await?;
/// let webhook = created.webhook.unwrap_or_default();
/// let pinged = client.webhooks().ping(&webhook.webhook_id).await?;
/// println!("{} {}", pinged.delivered, pinged.failure);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct WebhooksClient {
    client: Client,
}

impl Client {
    /// Returns the webhooks of this client's API key. Nothing is sent.
    pub fn webhooks(&self) -> WebhooksClient {
        WebhooksClient { client: self.clone() }
    }
}

impl WebhooksClient {
    /// Creates a webhook and returns it with the secret that its deliveries are signed with, which is not
    /// shown again. Kinds are named as in `match_ended`; without any, events of all kinds are sent.
    ///
    /// # Errors
    ///
    /// If the service refuses, for example with `TOO_MANY_WEBHOOKS`, or does not answer.
    pub async fn create(&self, url: &str, kinds: &[&str]) -> Result<CreateWebhookResponse, Error> {
        let (url, kinds, request_id) = (url.to_owned(), owned(kinds), Some(request_id()));
        self.client.create_webhook(CreateWebhookRequest { url, kinds, request_id }).await
    }

    /// Lists the caller's webhooks.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn list(&self) -> Result<Vec<Webhook>, Error> {
        let mut message = ListWebhooksRequest { page_size: PAGE, ..ListWebhooksRequest::default() };
        let mut webhooks = Vec::new();
        loop {
            let page = self.client.list_webhooks(message.clone()).await?;
            webhooks.extend(page.webhooks);
            if page.next_page_token.is_empty() {
                return Ok(webhooks);
            }
            message.page_token = page.next_page_token;
        }
    }

    /// Returns a webhook, with the numbers of its undelivered events.
    ///
    /// # Errors
    ///
    /// If the service refuses, for example with `UNKNOWN_WEBHOOK`, or does not answer.
    pub async fn get(&self, webhook_id: &str) -> Result<Webhook, Error> {
        let message = GetWebhookRequest { webhook_id: webhook_id.to_owned() };
        present(self.client.get_webhook(message).await?.webhook)
    }

    /// Sends the events to another URL from now on.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn set_url(&self, webhook_id: &str, url: &str) -> Result<Webhook, Error> {
        let url = Some(url.to_owned());
        self.update(webhook_id, UpdateWebhookRequest { url, ..UpdateWebhookRequest::default() }).await
    }

    /// Sends events of these kinds alone from now on; of all kinds if there are none.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn set_kinds(&self, webhook_id: &str, kinds: &[&str]) -> Result<Webhook, Error> {
        let kinds = Some(WebhookKinds { kinds: owned(kinds) });
        self.update(webhook_id, UpdateWebhookRequest { kinds, ..UpdateWebhookRequest::default() }).await
    }

    /// Sends nothing until the webhook is enabled again.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn disable(&self, webhook_id: &str) -> Result<Webhook, Error> {
        let enabled = Some(false);
        self.update(webhook_id, UpdateWebhookRequest { enabled, ..UpdateWebhookRequest::default() }).await
    }

    /// Enables a webhook, whatever disabled it. It gets what happened in the meantime.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn enable(&self, webhook_id: &str) -> Result<Webhook, Error> {
        let enabled = Some(true);
        self.update(webhook_id, UpdateWebhookRequest { enabled, ..UpdateWebhookRequest::default() }).await
    }

    /// Deletes a webhook with its dead letters. It is not repeated: a repetition would be refused.
    ///
    /// # Errors
    ///
    /// If the service refuses, for example with `UNKNOWN_WEBHOOK`, or does not answer.
    pub async fn delete(&self, webhook_id: &str) -> Result<(), Error> {
        let message = DeleteWebhookRequest { webhook_id: webhook_id.to_owned() };
        self.client.delete_webhook(message).await.map(drop)
    }

    /// Replaces a webhook's secret, given its `secret_generation`. For a day the old one signs beside it.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn rotate_secret(
        &self,
        webhook_id: &str,
        current_generation: u32,
    ) -> Result<RotateWebhookSecretResponse, Error> {
        let webhook_id = webhook_id.to_owned();
        self.client.rotate_webhook_secret(RotateWebhookSecretRequest { webhook_id, current_generation }).await
    }

    /// Sends a `ping` at once and returns what came of it. It is not repeated.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn ping(&self, webhook_id: &str) -> Result<PingWebhookResponse, Error> {
        self.client.ping_webhook(PingWebhookRequest { webhook_id: webhook_id.to_owned() }).await
    }

    /// Lists a webhook's dead letters: events that were given up, at most 10 000.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn dead_letters(&self, webhook_id: &str) -> Result<Vec<DeadLetter>, Error> {
        let (webhook_id, page_token) = (webhook_id.to_owned(), String::new());
        let mut message = ListDeadLettersRequest { webhook_id, page_size: PAGE, page_token };
        let mut letters = Vec::new();
        loop {
            let page = self.client.list_dead_letters(message.clone()).await?;
            letters.extend(page.dead_letters);
            if page.next_page_token.is_empty() {
                return Ok(letters);
            }
            message.page_token = page.next_page_token;
        }
    }

    /// Sends dead letters again, and returns their number: those with these delivery ids, at most 200, or all
    /// if there are none.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn retry_dead_letters(&self, webhook_id: &str, delivery_ids: &[&str]) -> Result<u32, Error> {
        let delivery_ids = owned(delivery_ids);
        let message = RetryDeadLettersRequest { webhook_id: webhook_id.to_owned(), delivery_ids };
        Ok(self.client.retry_dead_letters(message).await?.retried_count)
    }

    async fn update(&self, webhook_id: &str, changes: UpdateWebhookRequest) -> Result<Webhook, Error> {
        let message = UpdateWebhookRequest { webhook_id: webhook_id.to_owned(), ..changes };
        present(self.client.update_webhook(message).await?.webhook)
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn present(webhook: Option<Webhook>) -> Result<Webhook, Error> {
    webhook.ok_or_else(|| Error::unexpected("the answer has no webhook"))
}
