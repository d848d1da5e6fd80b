//! The contract of the tables of webhooks.

use async_trait::async_trait;
use uuid::Uuid;

use crate::{
    DeliveryRow, DeliveryStatus, FeedCursor, LeaseEpoch, LeaseRequest, LeasedWebhook, MatchId, PageSize,
    ReadError, RecordTime, Seq, WebhookId, WebhookRow,
};

/// Stores webhooks, who delivers for them, and what was not delivered. Each call may be repeated after an
/// error.
#[async_trait]
pub trait WebhookStore: Send + Sync + 'static {
    /// Inserts a webhook unless its owner has `max` already. Returns false if it did not: the owner has too
    /// many, the id is taken, or another insert of the owner came first.
    async fn insert_webhook(&self, row: &WebhookRow, max: u32) -> Result<bool, ReadError>;
    /// Returns a webhook.
    async fn webhook(&self, id: WebhookId) -> Result<Option<WebhookRow>, ReadError>;
    /// Returns the webhooks of an owner, or of all, after `after`, by id.
    async fn list_webhooks(
        &self,
        owner: Option<&str>,
        after: Option<WebhookId>,
        page: PageSize,
    ) -> Result<Vec<WebhookRow>, ReadError>;
    /// Replaces the fields that the owner can change and raises the revision, unless the webhook has changed
    /// since `row` was read. Returns whether it did.
    async fn update_webhook(&self, row: &WebhookRow) -> Result<bool, ReadError>;
    /// Deletes a webhook with its deliveries. Returns whether there was one.
    async fn delete_webhook(&self, id: WebhookId) -> Result<bool, ReadError>;
    /// Takes and renews leases, by the database's clock.
    async fn lease_webhooks(&self, request: &LeaseRequest) -> Result<Vec<LeasedWebhook>, ReadError>;
    /// Gives up all leases of a holder, so that other replicas need not wait until they expire.
    async fn release_webhooks(&self, holder: Uuid) -> Result<(), ReadError>;
    /// Moves a webhook's position and stores the events up to it that were not delivered, if the lease still
    /// has this epoch. Returns whether it has.
    async fn advance_webhook(
        &self,
        id: WebhookId,
        epoch: LeaseEpoch,
        position: FeedCursor,
        undelivered: &[DeliveryRow],
    ) -> Result<bool, ReadError>;
    /// Replaces a delivery's row, if the lease still has this epoch. Returns whether it has.
    async fn update_delivery(
        &self,
        id: WebhookId,
        epoch: LeaseEpoch,
        row: &DeliveryRow,
    ) -> Result<bool, ReadError>;
    /// Deletes the row of an event that was delivered. Returns whether there was one.
    async fn delete_delivery(&self, id: WebhookId, position: FeedCursor) -> Result<bool, ReadError>;
    /// Returns a webhook's deliveries of a status after `after`, in the feed's order.
    async fn deliveries(
        &self,
        id: WebhookId,
        status: DeliveryStatus,
        after: Option<FeedCursor>,
        page: PageSize,
    ) -> Result<Vec<DeliveryRow>, ReadError>;
    /// Counts a webhook's deliveries of a status.
    async fn count_deliveries(&self, id: WebhookId, status: DeliveryStatus) -> Result<u64, ReadError>;
    /// Makes dead letters pending from `now` on, all or those of these events, and raises the webhook's
    /// revision. Returns their number.
    async fn retry_dead_letters(
        &self,
        id: WebhookId,
        events: Option<&[(MatchId, Seq)]>,
        now: RecordTime,
    ) -> Result<u64, ReadError>;
}
