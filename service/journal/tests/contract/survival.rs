//! What was acknowledged outlives the process, and one process at a time serves a SQLite file.

use std::collections::HashMap;

use journal::{Journal, Migrations, OpenError, migrate};
use rstest::rstest;

use crate::child::Appender;
use crate::samples::{created, log, move_at};
use crate::stores::{Kind, TestStore};

#[rstest]
#[tokio::test]
async fn a_killed_process_has_written_what_it_acknowledged(
    #[values(Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let mut last: HashMap<_, u32> = HashMap::new();
    for _ in 0..3 {
        let appender = Appender::start(&store.url);
        let acknowledged = tokio::task::spawn_blocking(move || appender.kill_after(500)).await.unwrap();
        last.extend(acknowledged);
    }
    let journal = store.open().await;
    for (id, seq) in last {
        let log = log(&journal, id).await;
        // The last one or more may have been written without being told of.
        assert!(log.len() >= seq as usize, "{id} lost event {seq}");
        let clock = log.last().unwrap().clock;
        let next = u32::try_from(log.len()).unwrap() + 1;
        assert!(journal.append(move_at(id, next, clock, "after")).await.unwrap().clock > clock);
    }
}

#[rstest]
#[tokio::test]
async fn a_reopened_journal_has_everything(#[values(Kind::Sqlite, Kind::Postgres)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    journal.bind_key([4; 32]).await.unwrap();
    let (id, clock) = created(&journal).await;
    journal.append(move_at(id, 2, clock, "x")).await.unwrap();
    let (events, row) = (log(&journal, id).await, journal.match_row(id).await.unwrap());
    journal.close().await;
    let journal = store.open().await;
    assert_eq!(log(&journal, id).await, events);
    assert_eq!(journal.match_row(id).await.unwrap(), row);
    assert!(journal.bind_key([5; 32]).await.is_err());
}

#[tokio::test]
async fn a_sqlite_file_is_served_by_one_process() {
    let store = TestStore::new(Kind::Sqlite).await.unwrap();
    let appender = Appender::start(&store.url);
    // Once it acknowledges, it has the file.
    let appender = tokio::task::spawn_blocking(move || appender.wait_for_one()).await.unwrap();
    let refusal = Journal::open(store.config()).await.unwrap_err();
    assert!(matches!(refusal, OpenError::InUse { .. }));
    assert!(refusal.to_string().contains(store.path()), "{refusal}");
    assert!(matches!(migrate(&store.url.parse().unwrap()).await, Err(OpenError::InUse { .. })));
    tokio::task::spawn_blocking(move || appender.kill_after(1)).await.unwrap();
    // The lock goes with its process; then a handle of this process excludes the next one.
    let journal = store.open().await;
    assert!(journal.is_sole_writer());
    assert!(matches!(Journal::open(store.config()).await, Err(OpenError::InUse { .. })));
    journal.close().await;
    store.open().await;
}

#[rstest]
#[tokio::test]
async fn a_role_that_may_not_migrate_waits_for_one_that_may(
    #[values(Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let mut config = store.config();
    config.migrations = Migrations::Require;
    assert!(matches!(
        Journal::open(config.clone()).await,
        Err(OpenError::NotMigrated { .. } | OpenError::Schema(_))
    ));
    migrate(&config.url).await.unwrap();
    migrate(&config.url).await.unwrap();
    let journal = Journal::open(config).await.unwrap();
    created(&journal).await;
}

#[tokio::test]
async fn a_journal_that_is_dropped_lets_its_file_go() {
    let store = TestStore::new(Kind::Sqlite).await.unwrap();
    drop(store.open().await);
    crate::stores::eventually("the file is free", async || Journal::open(store.config()).await.is_ok()).await;
}

#[tokio::test]
async fn unnamed_statements_do_the_same() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let journal = store.open_with(|config| config.statements = journal::Statements::Unnamed).await;
    let (id, clock) = created(&journal).await;
    journal.append(move_at(id, 2, clock, "x")).await.unwrap();
    assert_eq!(log(&journal, id).await.len(), 2);
    journal.close().await;
}
