//! Webhooks in memory.

use std::collections::btree_map::Entry;
use std::ops::Bound;

use async_trait::async_trait;
use uuid::Uuid;

use super::MemoryDatabase;
use super::rows::{HeldWebhook, Rows};
use crate::database_time::{micros, system_time};
use crate::store::WebhookStore;
use crate::{
    DeliveryRow, DeliveryStatus, FeedCursor, LeaseEpoch, LeaseRequest, LeasedWebhook, MatchId, PageSize,
    ReadError, RecordTime, Seq, WebhookId, WebhookRow, WebhookState,
};

#[async_trait]
impl WebhookStore for MemoryDatabase {
    async fn insert_webhook(&self, row: &WebhookRow, max: u32) -> Result<bool, ReadError> {
        let mut rows = self.rows();
        let owned = rows.webhooks.values().filter(|held| held.row.owner == row.owner).count();
        if owned >= max as usize {
            return Ok(false);
        }
        let Entry::Vacant(free) = rows.webhooks.entry(row.webhook_id) else { return Ok(false) };
        let (row, until) = (row.clone(), RecordTime(0));
        free.insert(HeldWebhook { row, holder: None, epoch: LeaseEpoch(0), until });
        Ok(true)
    }

    async fn webhook(&self, id: WebhookId) -> Result<Option<WebhookRow>, ReadError> {
        Ok(self.rows().webhooks.get(&id).map(|held| held.row.clone()))
    }

    async fn list_webhooks(
        &self,
        owner: Option<&str>,
        after: Option<WebhookId>,
        page: PageSize,
    ) -> Result<Vec<WebhookRow>, ReadError> {
        let rows = self.rows();
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let listed = rows.webhooks.range((from, Bound::Unbounded)).map(|(_, held)| &held.row);
        let listed = listed.filter(|row| owner.is_none_or(|owner| row.owner == owner));
        Ok(listed.take(page.0 as usize).cloned().collect())
    }

    async fn update_webhook(&self, row: &WebhookRow) -> Result<bool, ReadError> {
        let mut rows = self.rows();
        let stored = rows.webhooks.get_mut(&row.webhook_id).map(|held| &mut held.row);
        let Some(stored) = stored.filter(|stored| stored.revision == row.revision) else { return Ok(false) };
        *stored = WebhookRow { revision: row.revision + 1, position: stored.position, ..row.clone() };
        Ok(true)
    }

    async fn delete_webhook(&self, id: WebhookId) -> Result<bool, ReadError> {
        let mut rows = self.rows();
        rows.deliveries.retain(|&(webhook, _), _| webhook != id);
        Ok(rows.webhooks.remove(&id).is_some())
    }

    async fn lease_webhooks(&self, request: &LeaseRequest) -> Result<Vec<LeasedWebhook>, ReadError> {
        let now = system_time();
        let mut rows = self.rows();
        let ours = Some(request.holder);
        let mut free: Vec<&mut HeldWebhook> = rows
            .webhooks
            .values_mut()
            .filter(|held| held.row.state == WebhookState::Enabled)
            .filter(|held| held.row.key_fingerprint == request.key_fingerprint)
            .filter(|held| held.holder == ours || held.until <= now)
            .collect();
        free.sort_by_key(|held| (held.holder != ours, held.row.webhook_id));
        let lease = |held: &mut HeldWebhook| {
            held.epoch = LeaseEpoch(held.epoch.0 + i64::from(held.holder != ours));
            held.holder = ours;
            held.until = RecordTime(now.0 + micros(request.duration));
            LeasedWebhook { row: held.row.clone(), epoch: held.epoch }
        };
        Ok(free.into_iter().take(request.limit as usize).map(lease).collect())
    }

    async fn release_webhooks(&self, holder: Uuid) -> Result<(), ReadError> {
        let mut rows = self.rows();
        let held = rows.webhooks.values_mut().filter(|held| held.holder == Some(holder));
        held.for_each(|held| held.until = RecordTime(0));
        Ok(())
    }

    async fn advance_webhook(
        &self,
        id: WebhookId,
        epoch: LeaseEpoch,
        position: FeedCursor,
        undelivered: &[DeliveryRow],
    ) -> Result<bool, ReadError> {
        let mut rows = self.rows();
        let Some(held) = rows.webhooks.get_mut(&id).filter(|held| held.epoch == epoch) else {
            return Ok(false);
        };
        held.row.position = position;
        for row in undelivered {
            rows.deliveries.entry((id, row.position)).or_insert_with(|| row.clone());
        }
        Ok(true)
    }

    async fn update_delivery(
        &self,
        id: WebhookId,
        epoch: LeaseEpoch,
        row: &DeliveryRow,
    ) -> Result<bool, ReadError> {
        let mut rows = self.rows();
        let held = rows.webhooks.get(&id).is_some_and(|held| held.epoch == epoch);
        match rows.deliveries.get_mut(&(id, row.position)).filter(|_| held) {
            Some(stored) => *stored = row.clone(),
            None => return Ok(false),
        }
        Ok(true)
    }

    async fn delete_delivery(&self, id: WebhookId, position: FeedCursor) -> Result<bool, ReadError> {
        Ok(self.rows().deliveries.remove(&(id, position)).is_some())
    }

    async fn deliveries(
        &self,
        id: WebhookId,
        status: DeliveryStatus,
        after: Option<FeedCursor>,
        page: PageSize,
    ) -> Result<Vec<DeliveryRow>, ReadError> {
        let rows = self.rows();
        let after = after.unwrap_or(FeedCursor::BEGINNING);
        let listed = of_webhook(&rows, id, status).filter(|row| row.position > after);
        Ok(listed.take(page.0 as usize).cloned().collect())
    }

    async fn count_deliveries(&self, id: WebhookId, status: DeliveryStatus) -> Result<u64, ReadError> {
        Ok(of_webhook(&self.rows(), id, status).count() as u64)
    }

    async fn retry_dead_letters(
        &self,
        id: WebhookId,
        events: Option<&[(MatchId, Seq)]>,
        now: RecordTime,
    ) -> Result<u64, ReadError> {
        let mut rows = self.rows();
        let chosen = |row: &DeliveryRow| {
            let event = (row.position.match_id, row.position.seq);
            row.status == DeliveryStatus::Dead && events.is_none_or(|events| events.contains(&event))
        };
        let mut count = 0;
        let all = rows.deliveries.range_mut((id, FeedCursor::BEGINNING)..);
        let of_webhook = all.take_while(|((webhook, _), _)| *webhook == id);
        for (_, row) in of_webhook.filter(|(_, row)| chosen(row)) {
            row.status = DeliveryStatus::Pending;
            (row.attempts, row.create_time, row.next_time) = (0, now, now);
            count += 1;
        }
        if let Some(held) = rows.webhooks.get_mut(&id) {
            held.row.revision += 1;
        }
        Ok(count)
    }
}

/// Returns a webhook's deliveries of a status.
fn of_webhook(rows: &Rows, id: WebhookId, status: DeliveryStatus) -> impl Iterator<Item = &DeliveryRow> {
    let all = rows.deliveries.range((id, FeedCursor::BEGINNING)..);
    let of_webhook = all.take_while(move |((webhook, _), _)| *webhook == id);
    of_webhook.map(|(_, row)| row).filter(move |row| row.status == status)
}
