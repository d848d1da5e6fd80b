//! Webhooks in SQLite. Calls of several statements leave rows that a repeated call completes.

use async_trait::async_trait;
use uuid::Uuid;

use super::Sqlite;
use super::statements::Statement;
use crate::database_time::{micros, system_time};
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
const LEASED: &str = include_str!("sql/webhooks/leased.sql");
const RELEASE: &str = include_str!("sql/webhooks/release.sql");
const ADVANCE: &str = include_str!("sql/webhooks/advance.sql");
const INSERT_DELIVERY: &str = include_str!("sql/webhooks/insert_delivery.sql");
const UPDATE_DELIVERY: &str = include_str!("sql/webhooks/update_delivery.sql");
const DELETE_DELIVERY: &str = include_str!("sql/webhooks/delete_delivery.sql");
const DELIVERIES: &str = include_str!("sql/webhooks/deliveries.sql");
const COUNT_DELIVERIES: &str = include_str!("sql/webhooks/count_deliveries.sql");
const RETRY: &str = include_str!("sql/webhooks/retry.sql");
const RAISE_REVISION: &str = include_str!("sql/webhooks/raise_revision.sql");

#[async_trait]
impl WebhookStore for Sqlite {
    async fn insert_webhook(&self, row: &WebhookRow, max: u32) -> Result<bool, ReadError> {
        let insert = sqlx::query(INSERT)
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
            .bind(i64::from(max));
        Ok(self.writing(insert).await? == 1)
    }

    async fn webhook(&self, id: WebhookId) -> Result<Option<WebhookRow>, ReadError> {
        let read = || sqlx::query_as::<_, StoredWebhook>(READ).bind(id.0).fetch_optional(&self.readers);
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
                .bind(i64::from(page.0));
            match owner {
                None => query.fetch_all(&self.readers),
                Some(owner) => query.bind(owner).fetch_all(&self.readers),
            }
        };
        self.reading(list).await?.into_iter().map(WebhookRow::try_from).collect()
    }

    async fn update_webhook(&self, row: &WebhookRow) -> Result<bool, ReadError> {
        let update = sqlx::query(UPDATE)
            .bind(row.webhook_id.0)
            .bind(&row.url)
            .bind(encode_kinds(&row.kinds))
            .bind(row.state.as_str())
            .bind(&row.key_fingerprint[..])
            .bind(i64::from(row.secret_generation))
            .bind(row.rotate_time.map(|time| time.0))
            .bind(row.revision);
        Ok(self.writing(update).await? == 1)
    }

    async fn delete_webhook(&self, id: WebhookId) -> Result<bool, ReadError> {
        Ok(self.writing(sqlx::query(DELETE).bind(id.0)).await? == 1)
    }

    async fn lease_webhooks(&self, request: &LeaseRequest) -> Result<Vec<LeasedWebhook>, ReadError> {
        let now = system_time().0;
        let until = now + micros(request.duration);
        let lease = |sql: &'static str| {
            sqlx::query(sql).bind(request.holder).bind(until).bind(&request.key_fingerprint[..])
        };
        let renewed = self.writing(lease(RENEW)).await?;
        let more = u64::from(request.limit).saturating_sub(renewed);
        if more > 0 {
            let limit = i64::try_from(more).unwrap_or(i64::MAX);
            self.writing(lease(CLAIM).bind(limit).bind(now)).await?;
        }
        let read = || {
            sqlx::query_as::<_, StoredWebhook>(LEASED)
                .bind(request.holder)
                .bind(until)
                .fetch_all(&self.readers)
        };
        self.reading(read).await?.into_iter().map(LeasedWebhook::try_from).collect()
    }

    async fn release_webhooks(&self, holder: Uuid) -> Result<(), ReadError> {
        self.writing(sqlx::query(RELEASE).bind(holder)).await.map(drop)
    }

    async fn advance_webhook(
        &self,
        id: WebhookId,
        epoch: LeaseEpoch,
        position: FeedCursor,
        undelivered: &[DeliveryRow],
    ) -> Result<bool, ReadError> {
        // First what was not delivered: after a failure in between, it is in the feed and in the table.
        for row in undelivered {
            let insert = sqlx::query(INSERT_DELIVERY).bind(id.0).bind(epoch.0);
            self.writing(bind_delivery(insert, row)).await?;
        }
        let advance = sqlx::query(ADVANCE).bind(id.0).bind(epoch.0).bind(position.to_bytes().to_vec());
        Ok(self.writing(advance).await? == 1)
    }

    async fn update_delivery(
        &self,
        id: WebhookId,
        epoch: LeaseEpoch,
        row: &DeliveryRow,
    ) -> Result<bool, ReadError> {
        let update = sqlx::query(UPDATE_DELIVERY).bind(id.0).bind(epoch.0);
        Ok(self.writing(bind_delivery(update, row)).await? == 1)
    }

    async fn delete_delivery(&self, id: WebhookId, position: FeedCursor) -> Result<bool, ReadError> {
        let delete = sqlx::query(DELETE_DELIVERY).bind(id.0).bind(position.to_bytes().to_vec());
        Ok(self.writing(delete).await? == 1)
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
                .fetch_all(&self.readers)
        };
        self.reading(read).await?.into_iter().map(DeliveryRow::try_from).collect()
    }

    async fn count_deliveries(&self, id: WebhookId, status: DeliveryStatus) -> Result<u64, ReadError> {
        let count = || {
            sqlx::query_scalar::<_, i64>(COUNT_DELIVERIES)
                .bind(id.0)
                .bind(status.as_str())
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
        let chosen = match events {
            None => vec![None],
            Some(events) => events.iter().map(|event| Some(encode_event(*event))).collect(),
        };
        let mut count = 0;
        for event in chosen {
            count += self.writing(sqlx::query(RETRY).bind(id.0).bind(now.0).bind(event)).await?;
        }
        self.writing(sqlx::query(RAISE_REVISION).bind(id.0)).await?;
        Ok(count)
    }
}

/// Binds a delivery's columns after the webhook and the epoch.
fn bind_delivery<'q>(statement: Statement<'q>, row: &'q DeliveryRow) -> Statement<'q> {
    statement
        .bind(row.position.to_bytes().to_vec())
        .bind(i32::from(row.kind))
        .bind(row.status.as_str())
        .bind(i64::from(row.attempts))
        .bind(row.create_time.0)
        .bind(row.next_time.0)
        .bind(&row.failure)
}
