//! The feed with several replicas on one Postgres: one order for all, and nobody who is idle, late or dead holds it up.

use std::time::Duration;

use futures_util::future::join_all;
use journal::{Clock, FeedEnd, FeedQuery, Journal, JournalConfig, Seq};

use crate::child::Appender;
use crate::feed::{everything, follow, places, play, read_on};
use crate::samples::{created, move_at};
use crate::stores::{Kind, TestStore, eventually};

/// Lanes that say nothing by themselves: what comes, comes because a reader asked for it.
fn taciturn(config: &mut JournalConfig) {
    config.timing.keep_alive = Duration::from_secs(3600);
    config.timing.lane_silence = Duration::from_secs(3600);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_replicas_write_and_all_readers_see_one_order() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let mut replicas = Vec::new();
    for _ in 0..3 {
        replicas.push(store.open_with(taciturn).await);
    }
    const EVENTS: usize = 3 * 20 * 10;
    let followers: Vec<_> = replicas
        .iter()
        .zip([3, 50, 1000])
        .map(|(journal, limit)| tokio::spawn(follow(journal.clone(), EVENTS, limit)))
        .collect();
    let players =
        replicas.iter().flat_map(|journal| (0..20).map(|_| tokio::spawn(play(journal.clone(), 10))));
    // Replicas that come while the others play.
    let late = async {
        for _ in 0..3 {
            store.open_with(taciturn).await.close().await;
        }
    };
    let (played, ()) = tokio::join!(join_all(players), late);
    assert!(played.into_iter().all(|player| player.is_ok()));
    let later = follow(store.open_with(taciturn).await, EVENTS, 100).await;
    assert_eq!(places(&later).len(), EVENTS);
    for follower in followers {
        assert_eq!(follower.await.unwrap(), later);
    }
    for (n, event) in later.iter().enumerate().step_by(37) {
        let query = FeedQuery { after: Some(event.cursor), ..everything(11) };
        assert_eq!(read_on(&replicas[n % 3], query).await, later[n + 1..]);
    }
}

#[tokio::test]
async fn nothing_is_told_while_a_slower_lane_may_write_something_before_it() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let (slow, fast) = (store.open_with(taciturn).await, store.open_with(taciturn).await);
    let (id, _) = created(&fast).await;
    // As if the fast one's clock were an hour ahead.
    let ahead = Clock(fast.now().0 + 3_600_000_000);
    fast.append(move_at(id, 2, ahead, "fast")).await.unwrap();
    let early = read_on(&slow, everything(10)).await;
    assert!(
        early.iter().all(|event| event.cursor.seq() == Seq(1)),
        "the slow one's next event comes before it"
    );
    let page = slow.feed(&everything(10)).await.unwrap();
    assert_eq!(page.end, FeedEnd::HeldBack, "and it is told that there is more");
    let (slower, _) = created(&slow).await;
    let all = follow(slow, 3, 10).await;
    assert!(all[..2].iter().any(|event| event.cursor.match_id() == slower));
    assert_eq!((all[2].cursor.match_id(), all[2].cursor.seq()), (id, Seq(2)));
    assert_eq!(all[..early.len()], early);
}

#[tokio::test]
async fn idle_replicas_come_along_when_they_are_asked() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let reader = store.open_with(taciturn).await;
    let idle = store.open_with(taciturn).await;
    let writer = store.open_with(taciturn).await;
    for count in 1..=5 {
        created(&writer).await;
        assert_eq!(follow(reader.clone(), count, 10).await.len(), count);
    }
    // The reader waits before there is anything, and is told of what the idle one does at last.
    let waiting = tokio::spawn(follow(reader, 6, 10));
    created(&idle).await;
    assert_eq!(waiting.await.unwrap().len(), 6);
}

#[tokio::test]
async fn a_killed_replica_holds_the_feed_until_its_lanes_are_closed() {
    let Some(store) = TestStore::new(Kind::Postgres).await else { return };
    let appender = Appender::start(&store.url);
    let acknowledged = tokio::task::spawn_blocking(move || appender.kill_after(200)).await.unwrap();
    let reader = open_quick(&store).await;
    created(&reader).await;
    let database = store.database.as_ref().unwrap();
    let dead = "SELECT count(*) FROM lane WHERE closed IS NOT NULL";
    eventually("the dead one's lanes are closed", async || database.number(dead).await == 2).await;
    let count = usize::try_from(database.number("SELECT count(*) FROM event").await).unwrap();
    let events = follow(reader, count, 100).await;
    assert_eq!(places(&events).len(), count);
    for (id, seq) in acknowledged {
        let told = events.iter().filter(|event| event.cursor.match_id() == id).count();
        assert!(told >= seq as usize, "{id}: {told} of {seq}");
    }
}

async fn open_quick(store: &TestStore) -> Journal {
    let quick = |config: &mut JournalConfig| {
        config.timing.lane_silence = Duration::from_millis(300);
        config.timing.tail_idly = Duration::from_millis(20);
        config.timing.keep_alive = Duration::from_millis(50);
    };
    store.open_with(quick).await
}
