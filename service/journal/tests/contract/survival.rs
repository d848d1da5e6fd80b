//! Acknowledged events outlive the process, and one process at a time serves a SQLite file.

use std::collections::HashMap;

use journal::{Journal, Migrations, OpenError, migrate};
use rstest::rstest;

use crate::child::Appender;
use crate::samples::{created, log, move_at, service};
use crate::stores::{Kind, TestStore};

#[rstest]
#[tokio::test]
async fn a_killed_process_has_written_what_it_acknowledged(
    #[values(Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
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
        // The last events may have been written but not acknowledged.
        assert!(log.len() >= seq as usize, "{id} lost event {seq}");
        let hlc = log.last().unwrap().hlc;
        let next = u32::try_from(log.len()).unwrap() + 1;
        assert!(journal.append(move_at(id, next, hlc, "after")).await.unwrap().hlc > hlc);
    }
}

#[rstest]
#[tokio::test]
async fn a_reopened_journal_contains_everything(
    #[values(Kind::Sqlite, Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    journal.bind_key(&service(4)).await.unwrap();
    let (id, hlc) = created(&journal).await;
    journal.append(move_at(id, 2, hlc, "x")).await.unwrap();
    let (events, row) = (log(&journal, id).await, journal.match_row(id).await.unwrap());
    journal.close().await;
    let journal = store.open().await;
    assert_eq!(log(&journal, id).await, events);
    assert_eq!(journal.match_row(id).await.unwrap(), row);
    assert!(journal.bind_key(&service(5)).await.is_err());
}

#[tokio::test]
async fn a_sqlite_file_is_served_by_one_process() {
    let store = TestStore::new(Kind::Sqlite).await.unwrap();
    let appender = Appender::start(&store.url);
    // Once it acknowledges, it holds the lock.
    let appender = tokio::task::spawn_blocking(move || appender.wait_for_one()).await.unwrap();
    let error = Journal::open(store.config()).await.unwrap_err();
    assert!(matches!(error, OpenError::InUse { .. }));
    assert!(error.to_string().contains(store.path()), "{error}");
    assert!(matches!(migrate(&store.url.parse().unwrap(), None, None).await, Err(OpenError::InUse { .. })));
    tokio::task::spawn_blocking(move || appender.kill_after(1)).await.unwrap();
    // The lock ends with its process. Then a journal of this process excludes the next one.
    let journal = store.open().await;
    assert!(journal.is_sole_writer());
    assert!(matches!(Journal::open(store.config()).await, Err(OpenError::InUse { .. })));
    journal.close().await;
    store.open().await;
}

#[rstest]
#[tokio::test]
async fn a_role_that_may_not_migrate_requires_a_migrated_database(
    #[values(Kind::Sqlite, Kind::Postgres)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let mut config = store.config();
    config.migrations = Migrations::Require;
    assert!(matches!(
        Journal::open(config.clone()).await,
        Err(OpenError::NotMigrated { .. } | OpenError::Schema(_))
    ));
    migrate(&config.url, None, None).await.unwrap();
    migrate(&config.url, None, None).await.unwrap();
    let journal = Journal::open(config).await.unwrap();
    created(&journal).await;
}

#[tokio::test]
async fn a_dropped_journal_releases_its_file() {
    let store = TestStore::new(Kind::Sqlite).await.unwrap();
    drop(store.open().await);
    crate::stores::eventually("the file is free", async || Journal::open(store.config()).await.is_ok()).await;
}

#[rstest]
#[tokio::test]
async fn unnamed_statements_work(#[values(Kind::Postgres, Kind::Sharded)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open_with(|config| config.statements = journal::Statements::Unnamed).await;
    let (id, hlc) = created(&journal).await;
    journal.append(move_at(id, 2, hlc, "x")).await.unwrap();
    assert_eq!(log(&journal, id).await.len(), 2);
    journal.close().await;
}
