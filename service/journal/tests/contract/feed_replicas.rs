//! The feed with several replicas on one Postgres: the same order for all, not held back by idle, late or
//! dead replicas.

use std::time::Duration;

use futures_util::future::join_all;
use journal::{FeedEnd, FeedQuery, Hlc, Journal, JournalConfig, Seq};
use rstest::rstest;

use crate::child::Appender;
use crate::feed::{everything, follow, play, positions, read_on};
use crate::samples::{created, move_at};
use crate::stores::{Kind, TestStore, eventually};

/// Turns off keep-alives: an empty commit must be the answer to a reader's request.
fn without_keep_alives(config: &mut JournalConfig) {
    config.timing.keep_alive_interval = Duration::from_secs(3600);
    config.timing.silence_timeout = Duration::from_secs(3600);
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_readers_of_three_replicas_see_one_order(#[values(Kind::Postgres, Kind::Sharded)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    let mut replicas = Vec::new();
    for _ in 0..3 {
        replicas.push(store.open_with(without_keep_alives).await);
    }
    const EVENTS: usize = 3 * 20 * 10;
    let followers: Vec<_> = replicas
        .iter()
        .zip([3, 50, 1000])
        .map(|(journal, limit)| tokio::spawn(follow(journal.clone(), EVENTS, limit)))
        .collect();
    let players =
        replicas.iter().flat_map(|journal| (0..20).map(|_| tokio::spawn(play(journal.clone(), 10))));
    // Replicas that start while the others play.
    let late = async {
        for _ in 0..3 {
            store.open_with(without_keep_alives).await.close().await;
        }
    };
    let (played, ()) = tokio::join!(join_all(players), late);
    assert!(played.into_iter().all(|player| player.is_ok()));
    let later = follow(store.open_with(without_keep_alives).await, EVENTS, 100).await;
    assert_eq!(positions(&later).len(), EVENTS);
    for follower in followers {
        assert_eq!(follower.await.unwrap(), later);
    }
    for (n, event) in later.iter().enumerate().step_by(37) {
        let query = FeedQuery { after: Some(event.cursor), ..everything(11) };
        assert_eq!(read_on(&replicas[n % 3], query).await, later[n + 1..]);
    }
}

#[rstest]
#[tokio::test]
async fn an_event_is_held_back_while_a_slower_writer_may_precede_it(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let (slow, fast) =
        (store.open_with(without_keep_alives).await, store.open_with(without_keep_alives).await);
    let (id, _) = created(&fast).await;
    // As if the fast replica's clock were an hour ahead.
    let ahead = Hlc(fast.now().0 + 3_600_000_000);
    fast.append(move_at(id, 2, ahead, "fast")).await.unwrap();
    let early = read_on(&slow, everything(10)).await;
    assert!(
        early.iter().all(|event| event.cursor.seq() == Seq(1)),
        "the slow replica's next event may precede it"
    );
    let page = slow.feed(&everything(10)).await.unwrap();
    assert_eq!(page.end, FeedEnd::HeldBack, "the page does not say that there is more");
    let (slower, _) = created(&slow).await;
    let all = follow(slow, 3, 10).await;
    assert!(all[..2].iter().any(|event| event.cursor.match_id() == slower));
    assert_eq!((all[2].cursor.match_id(), all[2].cursor.seq()), (id, Seq(2)));
    assert_eq!(all[..early.len()], early);
}

#[rstest]
#[tokio::test]
async fn idle_replicas_commit_on_request(#[values(Kind::Postgres, Kind::Sharded)] kind: Kind) {
    let Some(store) = TestStore::new(kind).await else { return };
    let reader = store.open_with(without_keep_alives).await;
    let idle = store.open_with(without_keep_alives).await;
    let writer = store.open_with(without_keep_alives).await;
    for count in 1..=5 {
        created(&writer).await;
        assert_eq!(follow(reader.clone(), count, 10).await.len(), count);
    }
    // The reader waits first, then the idle replica commits.
    let waiting = tokio::spawn(follow(reader, 6, 10));
    created(&idle).await;
    assert_eq!(waiting.await.unwrap().len(), 6);
}

#[rstest]
#[tokio::test]
async fn a_killed_replica_holds_the_feed_back_until_its_writers_are_closed(
    #[values(Kind::Postgres, Kind::Sharded)] kind: Kind,
) {
    let Some(store) = TestStore::new(kind).await else { return };
    let appender = Appender::start(&store.url);
    let acknowledged = tokio::task::spawn_blocking(move || appender.kill_after(200)).await.unwrap();
    let reader = open_quick(&store).await;
    created(&reader).await;
    let database = store.database.as_ref().unwrap();
    let dead = "SELECT count(*) FROM writer WHERE closing_batch IS NOT NULL";
    eventually("the dead replica's writers are closed", async || {
        database.number(dead).await == store.writers()
    })
    .await;
    let count = usize::try_from(database.number("SELECT count(*) FROM event").await).unwrap();
    let events = follow(reader, count, 100).await;
    assert_eq!(positions(&events).len(), count);
    for (id, seq) in acknowledged {
        let shown = events.iter().filter(|event| event.cursor.match_id() == id).count();
        assert!(shown >= seq as usize, "{id}: {shown} of {seq}");
    }
}

async fn open_quick(store: &TestStore) -> Journal {
    let quick = |config: &mut JournalConfig| {
        config.timing.silence_timeout = Duration::from_millis(300);
        config.timing.idle_poll_interval = Duration::from_millis(20);
        config.timing.keep_alive_interval = Duration::from_millis(50);
    };
    store.open_with(quick).await
}
