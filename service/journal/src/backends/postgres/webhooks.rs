//! Webhooks in Postgres. Each call is one statement or two, and may be repeated after a lost connection.

use async_trait::async_trait;
use uuid::Uuid;

use super::Postgres;
use crate::database_time::micros;
use crate::sql::{StoredDelivery, StoredWebhook, encode_event, encode_kinds};
use crate::store::WebhookStore;
use crate::{
    DeliveryRow, DeliveryStatus, FeedCursor, LeaseEpoch, LeaseRequest, LeasedWebhook, MatchId, PageSize,
    ReadError, RecordTime, Seq, WebhookId, WebhookRow,
};

const INSERT: &str = include_str!("sql/webhooks/insert.sql");
const READ: &str = include_str!("sql/webhooks/read.sql");
const LIST: &str = include_str!("sql/webhooks/list.sql");
const LIST_OF_OWNER: &str = include_str!("sql/webhooks/list_of_owner.sql");
const UPDATE: &str = include_str!("sql/webhooks/update.sql");
const DELETE: &str = include_str!("sql/webhooks/delete.sql");
const RENEW: &str = include_str!("sql/webhooks/renew.sql");
const CLAIM: &str = include_str!("sql/webhooks/claim.sql");
const RELEASE: &str = include_str!("sql/webhooks/release.sql");
const ADVANCE: &str = include_str!("sql/webhooks/advance.sql");
const UPDATE_DELIVERY: &str = include_str!("sql/webhooks/update_delivery.sql");
const DELETE_DELIVERY: &str = include_str!("sql/webhooks/delete_delivery.sql");
const DELIVERIES: &str = include_str!("sql/webhooks/deliveries.sql");
const COUNT_DELIVERIES: &str = include_str!("sql/webhooks/count_deliveries.sql");
const RETRY: &str = include_str!("sql/webhooks/retry.sql");

#[async_trait]
impl WebhookStore for Postgres {
    async fn insert_webhook(&self, row: &WebhookRow, max: u32) -> Result<bool, ReadError> {
        let insert = || {
            sqlx::query(INSERT)
                .bind(row.webhook_id.0)
                .bind(&row.owner)
                .bind(&row.url)
                .bind(encode_kinds(&row.kinds))
                .bind(row.state.as_str())
                .bind(&row.key_fingerprint[..])
                .bind(i64::from(row.secret_generation))
                .bind(row.rotate_time.map(|time| time.0))
                .bind(row.create_time.0)
                .bind(row.revision)
                .bind(row.position.to_bytes().to_vec())
                .bind(i32::try_from(max).unwrap_or(i32::MAX))
                .persistent(false)
                .execute(&self.readers)
        };
        Ok(self.reading(insert).await?.rows_affected() == 1)
    }

    async fn webhook(&self, id: WebhookId) -> Result<Option<WebhookRow>, ReadError> {
        let read = || {
            sqlx::query_as::<_, StoredWebhook>(READ)
                .bind(id.0)
                .persistent(self.persistent())
                .fetch_optional(&self.readers)
        };
        self.reading(read).await?.map(WebhookRow::try_from).transpose()
    }

    async fn list_webhooks(
        &self,
        owner: Option<&str>,
        after: Option<WebhookId>,
        page: PageSize,
    ) -> Result<Vec<WebhookRow>, ReadError> {
        let list = || {
            let query = sqlx::query_as::<_, StoredWebhook>(owner.map_or(LIST, |_| LIST_OF_OWNER))
                .bind(after.map(|id| id.0))
                .bind(i64::from(page.0))
                .persistent(false);
            match owner {
                None => query.fetch_all(&self.readers),
                Some(owner) => query.bind(owner).fetch_all(&self.readers),
            }
        };
        self.reading(list).await?.into_iter().map(WebhookRow::try_from).collect()
    }

    async fn update_webhook(&self, row: &WebhookRow) -> Result<bool, ReadError> {
        let update = || {
            sqlx::query(UPDATE)
                .bind(row.webhook_id.0)
                .bind(&row.url)
                .bind(encode_kinds(&row.kinds))
                .bind(row.state.as_str())
                .bind(&row.key_fingerprint[..])
                .bind(i64::from(row.secret_generation))
                .bind(row.rotate_time.map(|time| time.0))
                .bind(row.revision)
                .persistent(false)
                .execute(&self.readers)
        };
        Ok(self.reading(update).await?.rows_affected() == 1)
    }

    async fn delete_webhook(&self, id: WebhookId) -> Result<bool, ReadError> {
        let delete = || sqlx::query(DELETE).bind(id.0).persistent(false).execute(&self.readers);
        Ok(self.reading(delete).await?.rows_affected() == 1)
    }

    async fn lease_webhooks(&self, request: &LeaseRequest) -> Result<Vec<LeasedWebhook>, ReadError> {
        let lease = |sql: &'static str| {
            sqlx::query_as::<_, StoredWebhook>(sql)
                .bind(request.holder)
                .bind(micros(request.duration))
                .bind(&request.key_fingerprint[..])
                .persistent(self.persistent())
        };
        let mut leased = self.reading(|| lease(RENEW).fetch_all(&self.readers)).await?;
        let more = (request.limit as usize).saturating_sub(leased.len());
        if more > 0 {
            let limit = i64::try_from(more).unwrap_or(i64::MAX);
            leased.extend(self.reading(|| lease(CLAIM).bind(limit).fetch_all(&self.readers)).await?);
        }
        leased.into_iter().map(LeasedWebhook::try_from).collect()
    }

    async fn release_webhooks(&self, holder: Uuid) -> Result<(), ReadError> {
        let release = || sqlx::query(RELEASE).bind(holder).persistent(false).execute(&self.readers);
        self.reading(release).await.map(drop)
    }

    async fn advance_webhook(
        &self,
        id: WebhookId,
        epoch: LeaseEpoch,
        position: FeedCursor,
        undelivered: &[DeliveryRow],
    ) -> Result<bool, ReadError> {
        let advance = || {
            let rows = undelivered.iter();
            sqlx::query_scalar::<_, i64>(ADVANCE)
                .bind(id.0)
                .bind(epoch.0)
                .bind(position.to_bytes().to_vec())
                .bind(rows.clone().map(|row| row.position.to_bytes().to_vec()).collect::<Vec<_>>())
                .bind(rows.clone().map(|row| i32::from(row.kind)).collect::<Vec<_>>())
                .bind(rows.clone().map(|row| row.status.as_str()).collect::<Vec<_>>())
                .bind(rows.clone().map(|row| i64::from(row.attempts)).collect::<Vec<_>>())
                .bind(rows.clone().map(|row| row.create_time.0).collect::<Vec<_>>())
                .bind(rows.clone().map(|row| row.next_time.0).collect::<Vec<_>>())
                .bind(rows.map(|row| row.failure.as_str()).collect::<Vec<_>>())
                .persistent(self.persistent())
                .fetch_one(&self.readers)
        };
        Ok(self.reading(advance).await? == 1)
    }

    async fn update_delivery(
        &self,
        id: WebhookId,
        epoch: LeaseEpoch,
        row: &DeliveryRow,
    ) -> Result<bool, ReadError> {
        let update = || {
            sqlx::query(UPDATE_DELIVERY)
                .bind(id.0)
                .bind(epoch.0)
                .bind(row.position.to_bytes().to_vec())
                .bind(i32::from(row.kind))
                .bind(row.status.as_str())
                .bind(i64::from(row.attempts))
                .bind(row.create_time.0)
                .bind(row.next_time.0)
                .bind(&row.failure)
                .persistent(self.persistent())
                .execute(&self.readers)
        };
        Ok(self.reading(update).await?.rows_affected() == 1)
    }

    async fn delete_delivery(&self, id: WebhookId, position: FeedCursor) -> Result<bool, ReadError> {
        let delete = || {
            sqlx::query(DELETE_DELIVERY)
                .bind(id.0)
                .bind(position.to_bytes().to_vec())
                .persistent(self.persistent())
                .execute(&self.readers)
        };
        Ok(self.reading(delete).await?.rows_affected() == 1)
    }

    async fn deliveries(
        &self,
        id: WebhookId,
        status: DeliveryStatus,
        after: Option<FeedCursor>,
        page: PageSize,
    ) -> Result<Vec<DeliveryRow>, ReadError> {
        let after = after.unwrap_or(FeedCursor::BEGINNING).to_bytes();
        let read = || {
            sqlx::query_as::<_, StoredDelivery>(DELIVERIES)
                .bind(id.0)
                .bind(status.as_str())
                .bind(after.to_vec())
                .bind(i64::from(page.0))
                .persistent(self.persistent())
                .fetch_all(&self.readers)
        };
        self.reading(read).await?.into_iter().map(DeliveryRow::try_from).collect()
    }

    async fn count_deliveries(&self, id: WebhookId, status: DeliveryStatus) -> Result<u64, ReadError> {
        let count = || {
            sqlx::query_scalar::<_, i64>(COUNT_DELIVERIES)
                .bind(id.0)
                .bind(status.as_str())
                .persistent(self.persistent())
                .fetch_one(&self.readers)
        };
        self.reading(count).await.map(i64::unsigned_abs)
    }

    async fn retry_dead_letters(
        &self,
        id: WebhookId,
        events: Option<&[(MatchId, Seq)]>,
        now: RecordTime,
    ) -> Result<u64, ReadError> {
        let events = events.map(|events| events.iter().map(|event| encode_event(*event)).collect::<Vec<_>>());
        let retry = || {
            sqlx::query_scalar::<_, i64>(RETRY)
                .bind(id.0)
                .bind(now.0)
                .bind(events.clone())
                .persistent(false)
                .fetch_one(&self.readers)
        };
        self.reading(retry).await.map(i64::unsigned_abs)
    }
}
