//! Calls about webhooks.

use wire::v1::webhook_service_client::WebhookServiceClient;
use wire::v1::{
    CreateWebhookRequest, CreateWebhookResponse, DeleteWebhookRequest, DeleteWebhookResponse,
    GetWebhookRequest, GetWebhookResponse, ListDeadLettersRequest, ListDeadLettersResponse,
    ListWebhooksRequest, ListWebhooksResponse, PingWebhookRequest, PingWebhookResponse,
    RetryDeadLettersRequest, RetryDeadLettersResponse, RotateWebhookSecretRequest,
    RotateWebhookSecretResponse, UpdateWebhookRequest, UpdateWebhookResponse,
};

use crate::client::{Client, Idempotency};
use crate::error::Error;

impl Client {
    /// Creates a webhook and returns its secret.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn create_webhook(
        &self,
        message: CreateWebhookRequest,
    ) -> Result<CreateWebhookResponse, Error> {
        let rpc =
            |channel, request| async { WebhookServiceClient::new(channel).create_webhook(request).await };
        self.call(Idempotency::of(message.request_id.as_ref()), message, rpc).await
    }

    /// Lists a page of webhooks.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn list_webhooks(&self, message: ListWebhooksRequest) -> Result<ListWebhooksResponse, Error> {
        let rpc =
            |channel, request| async { WebhookServiceClient::new(channel).list_webhooks(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Returns a webhook.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn get_webhook(&self, message: GetWebhookRequest) -> Result<GetWebhookResponse, Error> {
        let rpc = |channel, request| async { WebhookServiceClient::new(channel).get_webhook(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Changes a webhook's URL or kinds, disables or enables it.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn update_webhook(
        &self,
        message: UpdateWebhookRequest,
    ) -> Result<UpdateWebhookResponse, Error> {
        let rpc =
            |channel, request| async { WebhookServiceClient::new(channel).update_webhook(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Deletes a webhook.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn delete_webhook(
        &self,
        message: DeleteWebhookRequest,
    ) -> Result<DeleteWebhookResponse, Error> {
        let rpc =
            |channel, request| async { WebhookServiceClient::new(channel).delete_webhook(request).await };
        self.call(Idempotency::Unsafe, message, rpc).await
    }

    /// Replaces a webhook's secret.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn rotate_webhook_secret(
        &self,
        message: RotateWebhookSecretRequest,
    ) -> Result<RotateWebhookSecretResponse, Error> {
        let rpc = |channel, request| async {
            WebhookServiceClient::new(channel).rotate_webhook_secret(request).await
        };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Sends a ping to a webhook and returns what came of it.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn ping_webhook(&self, message: PingWebhookRequest) -> Result<PingWebhookResponse, Error> {
        let rpc = |channel, request| async { WebhookServiceClient::new(channel).ping_webhook(request).await };
        self.call(Idempotency::Unsafe, message, rpc).await
    }

    /// Lists a page of a webhook's dead letters.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn list_dead_letters(
        &self,
        message: ListDeadLettersRequest,
    ) -> Result<ListDeadLettersResponse, Error> {
        let rpc =
            |channel, request| async { WebhookServiceClient::new(channel).list_dead_letters(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Sends dead letters again.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn retry_dead_letters(
        &self,
        message: RetryDeadLettersRequest,
    ) -> Result<RetryDeadLettersResponse, Error> {
        let rpc =
            |channel, request| async { WebhookServiceClient::new(channel).retry_dead_letters(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }
}
