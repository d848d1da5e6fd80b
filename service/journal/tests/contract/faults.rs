//! Postgres goes away in the worst moments: what was acknowledged is there, what was asked for is written once.

use std::time::Duration;

use futures_util::future::join_all;
use futures_util::poll;
use journal::{AppendError, Journal, JournalConfig, Seq, StopReason};
use rstest::rstest;

use crate::proxy::{Cut, Proxy};
use crate::samples::{created, log, move_at};
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
async fn a_cut_line_neither_loses_nor_doubles_a_batch(
    #[values(Cut::BeforeTheStatement, Cut::BeforeTheAnswer)] cut: Cut,
) {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let (proxy, journal) = open_through(&store, |_| {}).await;
    let mut resets = journal.reset_signal();
    let matches = join_all((0..10).map(|_| created(&journal))).await;
    proxy.cut(cut, b"cut-here");
    let answers = join_all(matches.iter().enumerate().map(|(n, &(id, clock))| {
        let writer = if n == 3 { "cut-here" } else { "other" };
        journal.append(move_at(id, 2, clock, writer))
    }))
    .await;
    assert!(proxy.has_cut());
    for (&(id, _), answer) in matches.iter().zip(answers) {
        let log = log(&journal, id).await;
        assert_eq!(log.len(), 2);
        assert_eq!(answer.unwrap().clock, log[1].clock);
    }
    // Whoever caches must be told, since another database could have answered.
    assert!(resets.has_changed().unwrap());
    resets.mark_unchanged();
    created(&journal).await;
    let rows = "SELECT count(*) FROM event";
    assert_eq!(store.database.as_ref().unwrap().number(rows).await, 10 + 10 + 1);
}

#[tokio::test]
async fn a_backend_killed_in_the_middle_of_a_commit_costs_nothing() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let database = store.database.as_ref().unwrap();
    let journal = store.open().await;
    let (id, clock) = created(&journal).await;
    let mut blocker = database.connect().await;
    sqlx::raw_sql("BEGIN; LOCK TABLE event IN SHARE MODE").execute(&mut blocker).await.unwrap();
    let mut call = Box::pin(journal.append(move_at(id, 2, clock, "x")));
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
    assert_eq!((log.len(), log[1].clock), (2, answer.clock));
}

#[tokio::test]
async fn a_statement_that_waits_too_long_for_a_lock_is_sent_again() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let database = store.database.as_ref().unwrap();
    let journal = store.open_with(|config| config.timing.write_within = Duration::from_millis(900)).await;
    let resets = journal.reset_signal();
    let (id, clock) = created(&journal).await;
    let mut blocker = database.connect().await;
    sqlx::raw_sql("BEGIN; LOCK TABLE event IN SHARE MODE").execute(&mut blocker).await.unwrap();
    let mut call = Box::pin(journal.append(move_at(id, 2, clock, "x")));
    assert!(poll!(&mut call).is_pending());
    // When the waiting statement began, or 0 if none waits.
    let began =
        "SELECT coalesce(max(extract(epoch FROM query_start) * 1000000), 0)::bigint FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'";
    eventually("the statement waits", async || database.number(began).await > 0).await;
    let first = database.number(began).await;
    eventually("it is sent again", async || database.number(began).await > first).await;
    sqlx::raw_sql("COMMIT").execute(&mut blocker).await.unwrap();
    let answer = call.await.unwrap();
    let log = log(&journal, id).await;
    assert_eq!((log.len(), log[1].clock), (2, answer.clock));
    // The connection was never lost.
    assert!(!resets.has_changed().unwrap());
}

#[tokio::test]
async fn readers_survive_the_death_of_all_their_connections() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let database = store.database.as_ref().unwrap();
    let journal = store.open().await;
    let (id, clock) = created(&journal).await;
    // Several at once, so that the pool has several connections.
    join_all((0..8).map(|_| journal.head(id))).await;
    let kill = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    assert!(database.number(kill).await >= 3);
    assert_eq!(journal.head(id).await.unwrap(), Some(Seq(1)));
    journal.append(move_at(id, 2, clock, "x")).await.unwrap();
    assert_eq!(journal.head(id).await.unwrap(), Some(Seq(2)));
}

#[tokio::test]
async fn while_the_database_is_away_callers_are_answered_and_afterwards_all_goes_on() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let (proxy, journal) =
        open_through(&store, |config| config.timing.answer_within = Duration::from_millis(300)).await;
    let (sent, clock) = created(&journal).await;
    let (unsent, _) = created(&journal).await;
    proxy.cut(Cut::AndGoDown, b"first");
    // The first is in the lane's hands and may or may not get there; what waits behind it surely does not.
    let mut first = Box::pin(journal.append(move_at(sent, 2, clock, "first")));
    assert!(poll!(&mut first).is_pending());
    eventually("the lane has sent the first", async || proxy.has_cut()).await;
    let second = journal.append(move_at(unsent, 2, clock, "x"));
    let (first, second) = tokio::join!(first, second);
    assert_eq!(first, Err(AppendError::OutcomeUnknown));
    assert!(matches!(second, Err(AppendError::Overloaded { .. })), "{second:?}");
    proxy.come_up();
    eventually("the first is written at last", async || journal.head(sent).await == Ok(Some(Seq(2)))).await;
    journal.append(move_at(sent, 3, clock, "x")).await.unwrap();
    assert_eq!(log(&journal, unsent).await.len(), 1);
    journal.append(move_at(unsent, 2, clock, "x")).await.unwrap();
}

#[tokio::test]
async fn a_database_that_lost_an_acknowledged_commit_stops_the_replica() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let database = store.database.as_ref().unwrap();
    let (proxy, journal) = open_through(&store, |_| {}).await;
    let (id, clock) = created(&journal).await;
    // As after a failover to a server that was behind.
    let lost = "DELETE FROM commit_log WHERE count > 0";
    assert_eq!(database.execute(lost).await.unwrap(), 1);
    proxy.cut(Cut::BeforeTheStatement, b"after-the-loss");
    let answer = journal.append(move_at(id, 2, clock, "after-the-loss")).await;
    assert_eq!(answer, Err(AppendError::OutcomeUnknown));
    assert_eq!(journal.stopped().await, StopReason::AnotherHistory);
    assert_eq!(journal.append(move_at(id, 2, clock, "later")).await, Err(AppendError::Stopped));
    assert_eq!(database.number("SELECT count(*) FROM event").await, 1);
}
