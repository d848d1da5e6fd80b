//! The rows of webhooks, and of what was not delivered.

use journal::{
    DeliveryRow, DeliveryStatus, FeedCursor, Journal, LeaseEpoch, LeaseRequest, PageSize, RecordTime, Seq,
    WebhookId, WebhookRow, WebhookState,
};
use rstest::rstest;
use uuid::Uuid;

use crate::samples::{created, move_at, new_id};
use crate::stores::{Kind, TestStore};

/// The service key of the webhooks.
pub(crate) const KEY: [u8; 32] = [7; 32];

const ALL: PageSize = PageSize(1000);

/// Returns an enabled webhook of an owner, at the feed's frontier.
pub(crate) async fn webhook(journal: &Journal, owner: &str) -> WebhookRow {
    WebhookRow {
        webhook_id: WebhookId(Uuid::now_v7()),
        owner: owner.to_owned(),
        url: "https://shop.example/hook?a=ü".to_owned(),
        kinds: vec![1, 11],
        state: WebhookState::Enabled,
        key_fingerprint: KEY,
        secret_generation: 1,
        rotate_time: None,
        create_time: RecordTime(5),
        revision: 1,
        position: journal.feed_frontier().await.unwrap(),
    }
}

/// Returns the position of an event in the feed.
fn position(n: u8) -> FeedCursor {
    let mut bytes = [n; FeedCursor::BYTES];
    bytes[24..].copy_from_slice(&[0, 0, 0, n]);
    FeedCursor::from_bytes(&bytes).unwrap()
}

fn pending(n: u8) -> DeliveryRow {
    DeliveryRow {
        position: position(n),
        kind: 6,
        status: DeliveryStatus::Pending,
        attempts: 1,
        create_time: RecordTime(10),
        next_time: RecordTime(20),
        failure: "status 500".to_owned(),
    }
}

async fn listed(journal: &Journal, id: WebhookId, status: DeliveryStatus) -> Vec<DeliveryRow> {
    journal.webhooks().deliveries(id, status, None, ALL).await.unwrap()
}

/// Takes the lease of the only webhook.
async fn lease(journal: &Journal) -> LeaseEpoch {
    let request = LeaseRequest {
        holder: Uuid::now_v7(),
        duration: std::time::Duration::ZERO,
        key_fingerprint: KEY,
        limit: 10,
    };
    let leased = journal.webhooks().lease_webhooks(&request).await.unwrap();
    assert_eq!(leased.len(), 1);
    leased[0].epoch
}

#[rstest]
#[tokio::test]
async fn a_webhook_is_returned_unchanged_and_changes_once_per_revision(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let webhooks = journal.webhooks();
    let row = webhook(&journal, "ann").await;
    assert!(webhooks.insert_webhook(&row, 10).await.unwrap());
    assert!(!webhooks.insert_webhook(&row, 10).await.unwrap(), "the id is taken");
    assert_eq!(webhooks.webhook(row.webhook_id).await.unwrap(), Some(row.clone()));
    let changed = WebhookRow {
        url: "https://other.example".to_owned(),
        kinds: Vec::new(),
        state: WebhookState::Gone,
        key_fingerprint: [8; 32],
        secret_generation: u32::MAX,
        rotate_time: Some(RecordTime(77)),
        ..row.clone()
    };
    assert!(webhooks.update_webhook(&changed).await.unwrap());
    let stored = WebhookRow { revision: 2, ..changed.clone() };
    assert_eq!(webhooks.webhook(row.webhook_id).await.unwrap(), Some(stored.clone()));
    let late = WebhookRow { state: WebhookState::Enabled, ..row.clone() };
    assert!(!webhooks.update_webhook(&late).await.unwrap(), "it has changed since revision 1");
    assert_eq!(webhooks.webhook(row.webhook_id).await.unwrap(), Some(stored));
    assert!(webhooks.delete_webhook(row.webhook_id).await.unwrap());
    assert!(!webhooks.delete_webhook(row.webhook_id).await.unwrap());
    assert_eq!(webhooks.webhook(row.webhook_id).await.unwrap(), None);
}

#[rstest]
#[tokio::test]
async fn an_owner_has_at_most_so_many_webhooks_even_if_it_creates_them_at_once(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let webhooks = journal.webhooks();
    let row = webhook(&journal, "ann").await;
    let rows = (0..12).map(|_| WebhookRow { webhook_id: WebhookId(Uuid::now_v7()), ..row.clone() });
    let rows: Vec<WebhookRow> = rows.collect();
    let inserts = rows.iter().map(|row| webhooks.insert_webhook(row, 3));
    let inserted = futures_util::future::join_all(inserts).await;
    let first = inserted.into_iter().filter(|done| *done.as_ref().unwrap()).count();
    assert!((1..=3).contains(&first), "{first}");
    for row in &rows {
        webhooks.insert_webhook(row, 3).await.unwrap();
    }
    let list = |owner, after| webhooks.list_webhooks(owner, after, PageSize(2));
    let page = list(Some("ann"), None).await.unwrap();
    let rest = list(Some("ann"), Some(page[1].webhook_id)).await.unwrap();
    assert_eq!((page.len(), rest.len()), (2, 1));
    assert!(page[0].webhook_id < page[1].webhook_id && page[1].webhook_id < rest[0].webhook_id);
    // A deleted one makes room, and another owner has room of its own.
    assert!(webhooks.delete_webhook(page[0].webhook_id).await.unwrap());
    assert!(webhooks.insert_webhook(&webhook(&journal, "ann").await, 3).await.unwrap());
    assert!(!webhooks.insert_webhook(&webhook(&journal, "ann").await, 3).await.unwrap());
    assert!(webhooks.insert_webhook(&webhook(&journal, "bo").await, 3).await.unwrap());
    assert_eq!(webhooks.list_webhooks(None, None, ALL).await.unwrap().len(), 4);
    assert_eq!(list(Some("nobody"), None).await.unwrap(), []);
}

#[rstest]
#[tokio::test]
async fn undelivered_events_are_kept_in_the_feeds_order_until_they_are_delivered(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let webhooks = journal.webhooks();
    let row = webhook(&journal, "ann").await;
    let id = row.webhook_id;
    webhooks.insert_webhook(&row, 10).await.unwrap();
    let epoch = lease(&journal).await;
    let failed = [pending(3), pending(1), pending(2)];
    assert!(webhooks.advance_webhook(id, epoch, position(9), &failed).await.unwrap());
    assert_eq!(webhooks.webhook(id).await.unwrap().unwrap().position, position(9));
    assert_eq!(listed(&journal, id, DeliveryStatus::Pending).await, [pending(1), pending(2), pending(3)]);
    // Storing one again changes nothing.
    let again = DeliveryRow { attempts: 99, ..pending(2) };
    assert!(webhooks.advance_webhook(id, epoch, position(9), &[again]).await.unwrap());
    let page = webhooks.deliveries(id, DeliveryStatus::Pending, Some(position(1)), PageSize(1)).await;
    assert_eq!(page.unwrap(), [pending(2)]);

    let dead = DeliveryRow { status: DeliveryStatus::Dead, attempts: 20, ..pending(1) };
    assert!(webhooks.update_delivery(id, epoch, &dead).await.unwrap());
    assert!(!webhooks.update_delivery(id, epoch, &pending(7)).await.unwrap(), "there is no such delivery");
    assert!(webhooks.delete_delivery(id, position(2)).await.unwrap());
    assert!(!webhooks.delete_delivery(id, position(2)).await.unwrap());
    assert_eq!(listed(&journal, id, DeliveryStatus::Pending).await, [pending(3)]);
    assert_eq!(listed(&journal, id, DeliveryStatus::Dead).await, [dead]);
    assert_eq!(webhooks.count_deliveries(id, DeliveryStatus::Dead).await.unwrap(), 1);
    assert!(webhooks.delete_webhook(id).await.unwrap());
    assert_eq!(webhooks.count_deliveries(id, DeliveryStatus::Pending).await.unwrap(), 0);
}

#[rstest]
#[tokio::test]
async fn dead_letters_become_pending_again_when_their_owner_asks(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let webhooks = journal.webhooks();
    let row = webhook(&journal, "ann").await;
    let id = row.webhook_id;
    webhooks.insert_webhook(&row, 10).await.unwrap();
    let epoch = lease(&journal).await;
    let dead = [1, 2, 3].map(|n| DeliveryRow { status: DeliveryStatus::Dead, ..pending(n) });
    webhooks.advance_webhook(id, epoch, position(9), &dead).await.unwrap();
    let event = |n| (position(n).match_id(), position(n).seq());
    let unknown = (new_id(), Seq(1));
    let asked = [event(2), unknown];
    assert_eq!(webhooks.retry_dead_letters(id, Some(&asked), RecordTime(99)).await.unwrap(), 1);
    let now = RecordTime(99);
    let retried = DeliveryRow { attempts: 0, create_time: now, next_time: now, ..pending(2) };
    assert_eq!(listed(&journal, id, DeliveryStatus::Pending).await, [retried]);
    assert_eq!(webhooks.webhook(id).await.unwrap().unwrap().revision, 2);
    assert_eq!(webhooks.retry_dead_letters(id, None, now).await.unwrap(), 2);
    assert_eq!(listed(&journal, id, DeliveryStatus::Dead).await, []);
    assert_eq!(webhooks.retry_dead_letters(id, None, now).await.unwrap(), 0);
}

#[rstest]
#[tokio::test]
async fn every_event_committed_later_comes_after_the_frontier(
    #[values(Kind::Memory, Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    let (id, mut hlc) = created(&journal).await;
    for seq in 2..=5 {
        let frontier = journal.feed_frontier().await.unwrap();
        hlc = journal.append(move_at(id, seq, hlc, "x")).await.unwrap().hlc;
        assert!(frontier.hlc() < hlc, "{frontier:?}");
        assert_eq!(FeedCursor::from_bytes(&frontier.to_bytes()), Some(frontier));
    }
}
