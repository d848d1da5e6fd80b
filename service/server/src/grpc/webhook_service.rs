//! `WebhookService`: managing the receivers of an application's events.

use play::Play;
use tonic::{Request, Response, Status};
use wire::v1;
use wire::v1::webhook_service_server::WebhookService;

use super::{caller_and_message, respond};

/// The RPCs of `WebhookService`.
pub(super) struct WebhookRpcs {
    play: Play,
}

impl WebhookRpcs {
    /// Serves the webhooks of `play`.
    pub(super) fn new(play: Play) -> Self {
        Self { play }
    }
}

#[tonic::async_trait]
impl WebhookService for WebhookRpcs {
    async fn create_webhook(
        &self,
        request: Request<v1::CreateWebhookRequest>,
    ) -> Result<Response<v1::CreateWebhookResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.create_webhook(&caller, message).await)
    }

    async fn list_webhooks(
        &self,
        request: Request<v1::ListWebhooksRequest>,
    ) -> Result<Response<v1::ListWebhooksResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.list_webhooks(&caller, message).await)
    }

    async fn get_webhook(
        &self,
        request: Request<v1::GetWebhookRequest>,
    ) -> Result<Response<v1::GetWebhookResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.get_webhook(&caller, message).await)
    }

    async fn update_webhook(
        &self,
        request: Request<v1::UpdateWebhookRequest>,
    ) -> Result<Response<v1::UpdateWebhookResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.update_webhook(&caller, message).await)
    }

    async fn delete_webhook(
        &self,
        request: Request<v1::DeleteWebhookRequest>,
    ) -> Result<Response<v1::DeleteWebhookResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.delete_webhook(&caller, message).await)
    }

    async fn rotate_webhook_secret(
        &self,
        request: Request<v1::RotateWebhookSecretRequest>,
    ) -> Result<Response<v1::RotateWebhookSecretResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.rotate_webhook_secret(&caller, message).await)
    }

    async fn ping_webhook(
        &self,
        request: Request<v1::PingWebhookRequest>,
    ) -> Result<Response<v1::PingWebhookResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.ping_webhook(&caller, message).await)
    }

    async fn list_dead_letters(
        &self,
        request: Request<v1::ListDeadLettersRequest>,
    ) -> Result<Response<v1::ListDeadLettersResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.list_dead_letters(&caller, message).await)
    }

    async fn retry_dead_letters(
        &self,
        request: Request<v1::RetryDeadLettersRequest>,
    ) -> Result<Response<v1::RetryDeadLettersResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.retry_dead_letters(&caller, message).await)
    }
}
