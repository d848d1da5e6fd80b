//! Several replicas on one Postgres: races, each other's commits, and the lanes of those that died.

use std::collections::HashMap;
use std::time::Duration;

use journal::{
    AppendError, BindKeyError, Clock, Journal, KeyChange, MatchId, OthersCommit, Rebound, Seq, StopReason,
};
use tokio::sync::broadcast::error::TryRecvError;

use crate::samples::{create, created, log, move_at};
use crate::stores::{Kind, TestStore, eventually};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_racing_replicas_one_wins_each_place() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let replicas = [store.open().await, store.open().await];
    let mut matches = Vec::new();
    for _ in 0..300 {
        matches.push(created(&replicas[0]).await.0);
    }
    let racers: Vec<_> = replicas
        .iter()
        .zip(["left", "right"])
        .flat_map(|(journal, name)| {
            matches.iter().map(move |&id| tokio::spawn(race(journal.clone(), id, name)))
        })
        .collect();
    let mut won: HashMap<(MatchId, u32), &'static str> = HashMap::new();
    for racer in racers {
        for (place, name) in racer.await.unwrap() {
            assert_eq!(won.insert(place, name), None, "two replicas won {place:?}");
        }
    }
    for id in matches {
        let log = log(&replicas[1], id).await;
        assert_eq!(log.len(), 5);
        for stored in &log[1..] {
            let winner = won[&(id, stored.event.seq.0)];
            assert!(stored.event.public.starts_with(winner.as_bytes()));
        }
        assert!(log.windows(2).all(|pair| pair[0].clock < pair[1].clock));
    }
}

/// Tries for every place up to the fifth; gives those it won.
async fn race(journal: Journal, id: MatchId, name: &'static str) -> Vec<((MatchId, u32), &'static str)> {
    let mut won = Vec::new();
    loop {
        let last = journal.events(id, Seq(0), 100).await.unwrap().pop().unwrap();
        let seq = last.event.seq.0 + 1;
        if seq > 5 {
            return won;
        }
        match journal.append(move_at(id, seq, last.clock, name)).await {
            Ok(_) => won.push(((id, seq), name)),
            Err(AppendError::Conflict) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn others_commits_arrive_each_once_and_own_ones_do_not() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let (here, there) = (store.open().await, store.open().await);
    let _watch = here.watch_closely();
    let (mut heard_here, mut heard_there) = (here.others_commits(), there.others_commits());
    let (own, _) = created(&here).await;
    let (id, mut clock) = created(&there).await;
    for seq in 2..=20 {
        clock = there.append(move_at(id, seq, clock, "there")).await.unwrap().clock;
    }
    for seq in 1..=20 {
        let heard = heard_here.recv().await.unwrap();
        assert_eq!(heard, OthersCommit { match_id: id, head: Seq(seq) });
    }
    assert_eq!(heard_there.recv().await.unwrap(), OthersCommit { match_id: own, head: Seq(1) });
    assert_eq!(heard_here.try_recv(), Err(TryRecvError::Empty));
}

#[tokio::test]
async fn a_replica_that_starts_later_is_heard_from_its_first_commit() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let here = store.open().await;
    let _watch = here.watch_closely();
    let mut heard = here.others_commits();
    for _ in 0..3 {
        let there = store.open().await;
        let (id, _) = created(&there).await;
        there.close().await;
        assert_eq!(heard.recv().await.unwrap(), OthersCommit { match_id: id, head: Seq(1) });
    }
}

#[tokio::test]
async fn the_lanes_of_a_dead_replica_are_closed_and_fence_it() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    // It never says that it lives: to the other it is dead.
    let silent = store.open_with(|config| config.timing.keep_alive = Duration::from_secs(3600)).await;
    let (id, clock) = created(&silent).await;
    let other = store
        .open_with(|config| {
            config.timing.lane_silence = Duration::from_millis(300);
            config.timing.tail_idly = Duration::from_millis(20);
            config.timing.keep_alive = Duration::from_millis(50);
        })
        .await;
    let database = store.database.as_ref().unwrap();
    let closed = "SELECT count(*) FROM lane WHERE closed IS NOT NULL";
    eventually("both lanes are closed", async || database.number(closed).await == 2).await;
    // The place is free, but the lane is not: nothing is written.
    let answer = silent.append(move_at(id, 2, clock, "late")).await;
    assert_eq!(answer, Err(AppendError::OutcomeUnknown));
    assert_eq!(silent.stopped().await, StopReason::Fenced);
    assert_eq!(log(&other, id).await.len(), 1);
    other.append(move_at(id, 2, clock, "other")).await.unwrap();
}

#[tokio::test]
async fn an_idle_replica_that_lives_keeps_its_lanes() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let quick = |config: &mut journal::JournalConfig| {
        config.timing.keep_alive = Duration::from_millis(100);
        config.timing.lane_silence = Duration::from_secs(5);
        config.timing.tail_idly = Duration::from_millis(20);
    };
    let (idle, other) = (store.open_with(quick).await, store.open_with(quick).await);
    let database = store.database.as_ref().unwrap();
    // Both lanes of both, for longer than the silence that closes one.
    let lived = "SELECT min(living) FROM
        (SELECT (max(clock) - min(clock)) / 1000000 AS living FROM commit_log GROUP BY lane) AS lanes";
    eventually("the lanes have lived", async || database.number(lived).await >= 6).await;
    assert_eq!(database.number("SELECT count(*) FROM lane WHERE closed IS NOT NULL").await, 0);
    idle.append(create(crate::samples::new_id())).await.unwrap();
    other.append(create(crate::samples::new_id())).await.unwrap();
}

#[tokio::test]
async fn a_closed_journal_closes_its_lanes() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let journal = store.open().await;
    created(&journal).await;
    journal.close().await;
    let open = "SELECT count(*) FROM lane WHERE closed IS NULL OR NOT EXISTS (
        SELECT 1 FROM commit_log c WHERE c.lane = lane.lane AND c.no = closed AND c.count = 0)";
    assert_eq!(store.database.as_ref().unwrap().number(open).await, 0);
}

#[tokio::test]
async fn old_commits_are_forgotten_but_never_a_lanes_last() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let journal = store
        .open_with(|config| {
            config.timing.commits_kept = Duration::ZERO;
            config.timing.forget_every = Duration::from_millis(20);
        })
        .await;
    let database = store.database.as_ref().unwrap();
    let mut clock = Clock(0);
    for _ in 0..20 {
        clock = created(&journal).await.1;
    }
    eventually("one commit a lane is left", async || {
        database.number("SELECT count(*) FROM commit_log").await == 2
    })
    .await;
    assert_eq!(database.number("SELECT max(clock) FROM commit_log").await, clock.0);
    assert_eq!(database.number("SELECT count(*) FROM event").await, 20);
    // What is left is enough to find out after a lost connection that the history is the same.
    let kill = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    database.number(kill).await;
    created(&journal).await;
}

#[tokio::test]
async fn a_replica_whose_key_was_changed_stops_even_if_it_only_reads() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let journal = store.open_with(|config| config.timing.key_check = Duration::from_millis(20)).await;
    journal.bind_key([1; 32]).await.unwrap();
    let database = store.database.as_ref().unwrap();
    database.execute("UPDATE service_key SET fingerprint = decode(repeat('02', 32), 'hex')").await.unwrap();
    assert_eq!(journal.stopped().await, StopReason::KeyChanged);
    assert_eq!(store.open().await.bind_key([1; 32]).await, Err(BindKeyError::OtherKey));
}

#[tokio::test]
async fn a_changed_key_fences_every_lane_that_is_open() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let journal = store.open().await;
    journal.bind_key([1; 32]).await.unwrap();
    let (id, clock) = created(&journal).await;
    let change = KeyChange::open(&store.config()).await.unwrap();
    assert_eq!(change.bound().await, Ok(Some([1; 32])));
    assert_eq!(change.living_lanes().await, Ok(2));
    assert_eq!(change.rebind([3; 32], [2; 32]).await, Ok(Rebound::OtherKey));
    journal.append(move_at(id, 2, clock, "still")).await.unwrap();
    assert_eq!(change.rebind([1; 32], [2; 32]).await, Ok(Rebound::Done));
    assert_eq!(change.living_lanes().await, Ok(0));
    let late = created(&store.open().await).await.1;
    assert!(journal.append(move_at(id, 3, late, "late")).await.is_err());
    assert_eq!(journal.stopped().await, StopReason::Fenced);
    assert_eq!(change.bound().await, Ok(Some([2; 32])));
    change.close().await;
}
