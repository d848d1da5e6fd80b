//! Several replicas on one Postgres: conflicts, notices of each other's commits, and writers of dead
//! replicas.

use std::collections::HashMap;
use std::time::Duration;

use journal::{
    AppendError, BindKeyError, BoundKey, Hlc, Journal, KeyChange, MatchId, NewEvents, PageSize,
    RebindOutcome, Seq, StopReason,
};
use rstest::rstest;
use tokio::sync::broadcast::error::TryRecvError;

use crate::samples::{create, created, log, move_at, service};
use crate::stores::{Kind, TestStore, eventually};

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_position_has_one_winner_among_competing_replicas(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let replicas = [store.open().await, store.open().await];
    let mut matches = Vec::new();
    for _ in 0..300 {
        matches.push(created(&replicas[0]).await.0);
    }
    let competitors: Vec<_> = replicas
        .iter()
        .zip(["left", "right"])
        .flat_map(|(journal, name)| {
            matches.iter().map(move |&id| tokio::spawn(compete(journal.clone(), id, name)))
        })
        .collect();
    let mut won: HashMap<(MatchId, u32), &'static str> = HashMap::new();
    for competitor in competitors {
        for (position, name) in competitor.await.unwrap() {
            assert_eq!(won.insert(position, name), None, "two replicas won {position:?}");
        }
    }
    for id in matches {
        let log = log(&replicas[1], id).await;
        assert_eq!(log.len(), 5);
        for stored in &log[1..] {
            let winner = won[&(id, stored.event.seq.0)];
            assert!(stored.event.public.starts_with(winner.as_bytes()));
        }
        assert!(log.windows(2).all(|pair| pair[0].hlc < pair[1].hlc));
    }
}

/// Competes for every position up to the fifth. Returns those it won.
async fn compete(journal: Journal, id: MatchId, name: &'static str) -> Vec<((MatchId, u32), &'static str)> {
    let mut won = Vec::new();
    loop {
        let last = journal.events(id, Seq(0), PageSize(100)).await.unwrap().pop().unwrap();
        let seq = last.event.seq.0 + 1;
        if seq > 5 {
            return won;
        }
        match journal.append(move_at(id, seq, last.hlc, name)).await {
            Ok(_) => won.push(((id, seq), name)),
            Err(AppendError::Conflict) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
}

#[rstest]
#[tokio::test]
async fn each_foreign_commit_is_announced_once_and_own_ones_are_not(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let (here, there) = (store.open().await, store.open().await);
    let _fast = here.poll_fast();
    let (mut heard_here, mut heard_there) = (here.new_events(), there.new_events());
    let (own, _) = created(&here).await;
    let (id, mut hlc) = created(&there).await;
    for seq in 2..=20 {
        hlc = there.append(move_at(id, seq, hlc, "there")).await.unwrap().hlc;
    }
    for seq in 1..=20 {
        let heard = heard_here.recv().await.unwrap();
        assert_eq!(heard, NewEvents { match_id: id, head: Seq(seq) });
    }
    assert_eq!(heard_there.recv().await.unwrap(), NewEvents { match_id: own, head: Seq(1) });
    assert_eq!(heard_here.try_recv(), Err(TryRecvError::Empty));
}

#[rstest]
#[tokio::test]
async fn a_later_replicas_commits_are_announced_from_its_first_one_on(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let here = store.open().await;
    let _fast = here.poll_fast();
    let mut heard = here.new_events();
    for _ in 0..3 {
        let there = store.open().await;
        let (id, _) = created(&there).await;
        there.close().await;
        assert_eq!(heard.recv().await.unwrap(), NewEvents { match_id: id, head: Seq(1) });
    }
}

#[rstest]
#[tokio::test]
async fn the_writers_of_a_dead_replica_are_closed_which_fences_it(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    // It sends no keep-alives, so the other replica takes it for dead.
    let silent =
        store.open_with(|config| config.timing.keep_alive_interval = Duration::from_secs(3600)).await;
    let (id, hlc) = created(&silent).await;
    let other = store
        .open_with(|config| {
            config.timing.silence_timeout = Duration::from_millis(300);
            config.timing.idle_poll_interval = Duration::from_millis(20);
            config.timing.keep_alive_interval = Duration::from_millis(50);
        })
        .await;
    let database = store.database.as_ref().unwrap();
    let closed = "SELECT count(*) FROM writer WHERE closing_batch IS NOT NULL";
    eventually("its writers are closed", async || database.number(closed).await == store.writers()).await;
    // The position is free, but the batch number is taken: nothing is written.
    let answer = silent.append(move_at(id, 2, hlc, "late")).await;
    assert_eq!(answer, Err(AppendError::OutcomeUnknown));
    assert_eq!(silent.stopped().await, StopReason::Fenced);
    assert_eq!(log(&other, id).await.len(), 1);
    other.append(move_at(id, 2, hlc, "other")).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn an_idle_replica_keeps_its_writers_by_keep_alives(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let quick = |config: &mut journal::JournalConfig| {
        config.timing.keep_alive_interval = Duration::from_millis(100);
        config.timing.silence_timeout = Duration::from_secs(5);
        config.timing.idle_poll_interval = Duration::from_millis(20);
    };
    let (idle, other) = (store.open_with(quick).await, store.open_with(quick).await);
    let database = store.database.as_ref().unwrap();
    // All writers of both replicas, for longer than the silence timeout.
    let lived = "SELECT min(living) FROM
        (SELECT (max(hlc) - min(hlc)) / 1000000 AS living FROM commit_log GROUP BY writer) AS writers";
    eventually("the writers outlive the timeout", async || database.number(lived).await >= 6).await;
    assert_eq!(database.number("SELECT count(*) FROM writer WHERE closing_batch IS NOT NULL").await, 0);
    idle.append(create(crate::samples::new_id())).await.unwrap();
    other.append(create(crate::samples::new_id())).await.unwrap();
}

#[rstest]
#[tokio::test]
async fn a_closed_journal_closes_its_writers(#[values(Kind::Postgres, Kind::Sharded)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    created(&journal).await;
    journal.close().await;
    let open = "SELECT count(*) FROM writer WHERE closing_batch IS NULL OR NOT EXISTS (
        SELECT 1 FROM commit_log c
        WHERE c.writer = writer.writer AND c.batch = closing_batch AND c.count = 0)";
    assert_eq!(store.database.as_ref().unwrap().number(open).await, 0);
}

#[rstest]
#[tokio::test]
async fn old_commits_are_pruned_but_never_a_writers_last(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store
        .open_with(|config| {
            config.timing.commit_retention = Duration::ZERO;
            config.timing.prune_interval = Duration::from_millis(20);
        })
        .await;
    let database = store.database.as_ref().unwrap();
    let mut hlc = Hlc(0);
    for _ in 0..20 {
        hlc = created(&journal).await.1;
    }
    eventually("one commit per writer is left", async || {
        database.number("SELECT count(*) FROM commit_log").await == store.writers()
    })
    .await;
    assert_eq!(database.number("SELECT max(hlc) FROM commit_log").await, hlc.0);
    assert_eq!(database.number("SELECT count(*) FROM event").await, 20);
    // The last commits suffice to recognize the history after a lost connection.
    let kill = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    database.number(kill).await;
    created(&journal).await;
}

#[rstest]
#[tokio::test]
async fn a_replica_stops_when_the_key_changes_even_if_it_only_reads(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal =
        store.open_with(|config| config.timing.key_check_interval = Duration::from_millis(20)).await;
    journal.bind_key(&service(1)).await.unwrap();
    let database = store.database.as_ref().unwrap();
    database.execute("UPDATE service_key SET fingerprint = decode(repeat('02', 32), 'hex')").await.unwrap();
    assert_eq!(journal.stopped().await, StopReason::KeyChanged);
    assert_eq!(store.open().await.bind_key(&service(1)).await, Err(BindKeyError::OtherKey));
}

#[rstest]
#[tokio::test]
async fn a_key_change_fences_every_open_writer(#[values(Kind::Postgres, Kind::Sharded)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    let journal = store.open().await;
    journal.bind_key(&service(1)).await.unwrap();
    let (id, hlc) = created(&journal).await;
    let change = KeyChange::open(&store.config()).await.unwrap();
    let bound = |service, previous_name| Ok(Some(BoundKey { service, previous_name }));
    assert_eq!(change.bound().await, bound(service(1), None));
    assert_eq!(change.live_writers().await.map(i64::try_from), Ok(Ok(store.writers())));
    assert_eq!(change.rebind([3; 32], &service(2)).await, Ok(RebindOutcome::OtherKey));
    journal.append(move_at(id, 2, hlc, "still")).await.unwrap();
    assert_eq!(change.rebind([1; 32], &service(2)).await, Ok(RebindOutcome::Rebound));
    assert_eq!(change.live_writers().await, Ok(0));
    let late = created(&store.open().await).await.1;
    assert!(journal.append(move_at(id, 3, late, "late")).await.is_err());
    assert_eq!(journal.stopped().await, StopReason::Fenced);
    assert_eq!(change.bound().await, bound(service(2), Some(service(1).name)));
    change.close().await;
}
