//! Postgres fails at the worst moments: acknowledged events remain, and a retried append is written once.

use std::time::Duration;

use futures_util::future::join_all;
use futures_util::poll;
use journal::{AppendError, Journal, JournalConfig, Seq, StopReason};
use rstest::rstest;

use crate::proxy::{Cut, Proxy};
use crate::samples::{created, created_beside, head_seq, log, move_at};
use crate::stores::{Kind, TestStore, eventually};

async fn open_through(store: &TestStore, change: impl FnOnce(&mut JournalConfig)) -> (Proxy, Journal) {
    let database = store.database.as_ref().unwrap();
    let proxy = Proxy::to(database.address()).await;
    let mut config = JournalConfig::new(database.url_at(proxy.address).parse().unwrap());
    change(&mut config);
    (proxy, Journal::open(config).await.unwrap())
}

#[rstest]
#[tokio::test]
async fn a_lost_connection_neither_loses_nor_doubles_a_batch(
    #[values(Cut::BeforeTheStatement, Cut::BeforeTheAnswer)] cut: Cut,
) {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let (proxy, journal) = open_through(&store, |_| {}).await;
    let mut invalidations = journal.invalidations();
    let matches = join_all((0..10).map(|_| created(&journal))).await;
    proxy.cut(cut, b"cut-here");
    let answers = join_all(matches.iter().enumerate().map(|(n, &(id, hlc))| {
        let writer = if n == 3 { "cut-here" } else { "other" };
        journal.append(move_at(id, 2, hlc, writer))
    }))
    .await;
    assert!(proxy.has_cut());
    for (&(id, _), answer) in matches.iter().zip(answers) {
        let log = log(&journal, id).await;
        assert_eq!(log.len(), 2);
        assert_eq!(answer.unwrap().hlc, log[1].hlc);
    }
    // Caches must be invalidated, because another database might have answered.
    assert!(invalidations.has_changed().unwrap());
    invalidations.mark_unchanged();
    created(&journal).await;
    let rows = "SELECT count(*) FROM event";
    assert_eq!(store.database.as_ref().unwrap().number(rows).await, 10 + 10 + 1);
}

#[rstest]
#[tokio::test]
async fn a_backend_killed_during_a_commit_loses_nothing(#[values(Kind::Postgres, Kind::Sharded)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    let database = store.database.as_ref().unwrap();
    let journal = store.open().await;
    let (id, hlc) = created(&journal).await;
    let mut blocker = database.connect().await;
    sqlx::raw_sql("BEGIN; LOCK TABLE event IN SHARE MODE").execute(&mut blocker).await.unwrap();
    let mut call = Box::pin(journal.append(move_at(id, 2, hlc, "x")));
    assert!(poll!(&mut call).is_pending());
    let waiting = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'";
    eventually("the statement waits", async || database.number(waiting).await == 1).await;
    let kill = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'";
    assert_eq!(database.number(kill).await, 1);
    sqlx::raw_sql("COMMIT").execute(&mut blocker).await.unwrap();
    let answer = call.await.unwrap();
    let log = log(&journal, id).await;
    assert_eq!((log.len(), log[1].hlc), (2, answer.hlc));
}

#[rstest]
#[tokio::test]
async fn a_statement_that_times_out_on_a_lock_is_retried(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let database = store.database.as_ref().unwrap();
    let journal = store.open_with(|config| config.timing.write_timeout = Duration::from_millis(900)).await;
    let invalidations = journal.invalidations();
    let (id, hlc) = created(&journal).await;
    let mut blocker = database.connect().await;
    sqlx::raw_sql("BEGIN; LOCK TABLE event IN SHARE MODE").execute(&mut blocker).await.unwrap();
    let mut call = Box::pin(journal.append(move_at(id, 2, hlc, "x")));
    assert!(poll!(&mut call).is_pending());
    // When the waiting statement started, or 0 if none waits.
    let began =
        "SELECT coalesce(max(extract(epoch FROM query_start) * 1000000), 0)::bigint FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'";
    eventually("the statement waits", async || database.number(began).await > 0).await;
    let first = database.number(began).await;
    eventually("it is retried", async || database.number(began).await > first).await;
    sqlx::raw_sql("COMMIT").execute(&mut blocker).await.unwrap();
    let answer = call.await.unwrap();
    let log = log(&journal, id).await;
    assert_eq!((log.len(), log[1].hlc), (2, answer.hlc));
    // The connection was never lost.
    assert!(!invalidations.has_changed().unwrap());
}

#[rstest]
#[tokio::test]
async fn reads_survive_the_loss_of_all_pooled_connections(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let database = store.database.as_ref().unwrap();
    let journal = store.open().await;
    let (id, hlc) = created(&journal).await;
    // Concurrent reads, so that the pool opens several connections.
    join_all((0..8).map(|_| journal.head(id))).await;
    let kill = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    assert!(database.number(kill).await >= 3);
    assert_eq!(head_seq(&journal, id).await, Some(Seq(1)));
    journal.append(move_at(id, 2, hlc, "x")).await.unwrap();
    assert_eq!(head_seq(&journal, id).await, Some(Seq(2)));
}

#[rstest]
#[tokio::test]
async fn callers_are_answered_while_the_database_is_down_and_appends_resume(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let (proxy, journal) =
        open_through(&store, |config| config.timing.append_timeout = Duration::from_millis(300)).await;
    let (sent, hlc) = created(&journal).await;
    let (unsent, _) = created_beside(&journal, sent).await;
    proxy.cut(Cut::AndGoDown, b"first");
    // The writer has sent the first, whose outcome is unknown. The one queued behind it is never sent.
    let mut first = Box::pin(journal.append(move_at(sent, 2, hlc, "first")));
    assert!(poll!(&mut first).is_pending());
    eventually("the writer has sent the first", async || proxy.has_cut()).await;
    let second = journal.append(move_at(unsent, 2, hlc, "x"));
    let (first, second) = tokio::join!(first, second);
    assert_eq!(first, Err(AppendError::OutcomeUnknown));
    assert!(matches!(second, Err(AppendError::Overloaded { .. })), "{second:?}");
    proxy.come_up();
    eventually("the first is written", async || head_seq(&journal, sent).await == Some(Seq(2))).await;
    journal.append(move_at(sent, 3, hlc, "x")).await.unwrap();
    assert_eq!(log(&journal, unsent).await.len(), 1);
    journal.append(move_at(unsent, 2, hlc, "x")).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn a_database_that_lost_an_acknowledged_commit_stops_the_replica(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let database = store.database.as_ref().unwrap();
    let (proxy, journal) = open_through(&store, |_| {}).await;
    let (id, hlc) = created(&journal).await;
    // As after a failover to a standby that lagged.
    let lost = "DELETE FROM commit_log WHERE count > 0";
    assert_eq!(database.execute(lost).await.unwrap(), 1);
    proxy.cut(Cut::BeforeTheStatement, b"after-the-loss");
    let answer = journal.append(move_at(id, 2, hlc, "after-the-loss")).await;
    assert_eq!(answer, Err(AppendError::OutcomeUnknown));
    assert_eq!(journal.stopped().await, StopReason::HistoryChanged);
    assert_eq!(journal.append(move_at(id, 2, hlc, "later")).await, Err(AppendError::Stopped));
    assert_eq!(database.number("SELECT count(*) FROM event").await, 1);
}
