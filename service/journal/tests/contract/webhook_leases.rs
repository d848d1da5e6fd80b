//! Leases of webhooks: one holder at a time, and a former holder changes nothing.

use std::time::Duration;

use journal::{DeliveryStatus, LeaseRequest, WebhookRow, WebhookState};
use rstest::rstest;
use uuid::Uuid;

use crate::stores::{Kind, TestStore, eventually};
use crate::webhooks::{KEY, webhook};

const LONG: Duration = Duration::from_secs(3600);

fn request(holder: Uuid, duration: Duration) -> LeaseRequest {
    LeaseRequest { holder, duration, key_fingerprint: KEY, limit: 10 }
}

#[rstest]
#[tokio::test]
async fn a_lease_has_one_holder_until_it_expires_or_is_released(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let webhooks = journal.webhooks();
    let row = webhook(&journal, "ann").await;
    webhooks.insert_webhook(&row, 10).await.unwrap();
    let (one, other) = (Uuid::now_v7(), Uuid::now_v7());
    let first = webhooks.lease_webhooks(&request(one, LONG)).await.unwrap();
    assert_eq!(first.len(), 1);
    assert_eq!(first[0].row, row);
    assert_eq!(webhooks.lease_webhooks(&request(other, LONG)).await.unwrap(), []);
    let renewed = webhooks.lease_webhooks(&request(one, LONG)).await.unwrap();
    assert_eq!(renewed, first, "the holder renews it under the same epoch");
    webhooks.release_webhooks(other).await.unwrap();
    assert_eq!(webhooks.lease_webhooks(&request(other, LONG)).await.unwrap(), []);

    webhooks.release_webhooks(one).await.unwrap();
    let second = webhooks.lease_webhooks(&request(other, Duration::from_millis(1))).await.unwrap();
    assert!(second[0].epoch > first[0].epoch);
    eventually("the lease expires", async || {
        !webhooks.lease_webhooks(&request(one, LONG)).await.unwrap().is_empty()
    })
    .await;
    assert_eq!(webhooks.lease_webhooks(&request(other, LONG)).await.unwrap(), []);
}

#[rstest]
#[tokio::test]
async fn a_former_holder_changes_nothing(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let webhooks = journal.webhooks();
    let row = webhook(&journal, "ann").await;
    let id = row.webhook_id;
    webhooks.insert_webhook(&row, 10).await.unwrap();
    let former = webhooks.lease_webhooks(&request(Uuid::now_v7(), Duration::ZERO)).await.unwrap();
    let failed = journal::DeliveryRow {
        position: row.position,
        kind: 6,
        status: DeliveryStatus::Pending,
        attempts: 1,
        create_time: row.create_time,
        next_time: row.create_time,
        failure: String::new(),
    };
    let epoch = former[0].epoch;
    assert!(webhooks.advance_webhook(id, epoch, row.position, std::slice::from_ref(&failed)).await.unwrap());
    let newer = webhooks.lease_webhooks(&request(Uuid::now_v7(), LONG)).await.unwrap();
    assert_eq!(newer.len(), 1);
    let start = journal::FeedCursor::from_bytes(&[1; journal::FeedCursor::BYTES]).unwrap();
    let late = journal::DeliveryRow { position: start, attempts: 9, ..failed.clone() };
    assert!(!webhooks.advance_webhook(id, epoch, start, &[late]).await.unwrap());
    let late = journal::DeliveryRow { attempts: 9, ..failed.clone() };
    assert!(!webhooks.update_delivery(id, epoch, &late).await.unwrap());
    assert_eq!(webhooks.webhook(id).await.unwrap(), Some(row));
    let pending = webhooks.deliveries(id, DeliveryStatus::Pending, None, journal::PageSize(9)).await;
    assert_eq!(pending.unwrap(), [failed]);
}

#[rstest]
#[tokio::test]
async fn only_enabled_webhooks_of_this_service_key_are_leased_up_to_the_limit(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let webhooks = journal.webhooks();
    for (state, key_fingerprint) in [
        (WebhookState::Enabled, KEY),
        (WebhookState::Enabled, KEY),
        (WebhookState::Disabled, KEY),
        (WebhookState::Gone, KEY),
        (WebhookState::DeadLetters, KEY),
        (WebhookState::Enabled, [9; 32]),
    ] {
        let row = WebhookRow { state, key_fingerprint, ..webhook(&journal, "ann").await };
        assert!(webhooks.insert_webhook(&row, 10).await.unwrap());
    }
    let holder = Uuid::now_v7();
    let one = LeaseRequest { limit: 1, ..request(holder, LONG) };
    assert_eq!(webhooks.lease_webhooks(&one).await.unwrap().len(), 1);
    assert_eq!(webhooks.lease_webhooks(&one).await.unwrap().len(), 1);
    let held = webhooks.lease_webhooks(&request(holder, LONG)).await.unwrap();
    assert_eq!(held.len(), 2);
    let disabled = WebhookRow { state: WebhookState::Disabled, ..held[0].row.clone() };
    assert!(webhooks.update_webhook(&disabled).await.unwrap());
    let held = webhooks.lease_webhooks(&request(holder, LONG)).await.unwrap();
    assert_eq!(held.len(), 1, "a disabled webhook is no longer leased");
}
