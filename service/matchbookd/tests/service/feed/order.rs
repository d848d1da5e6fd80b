//! All readers see one order of all replicas' events, from any cursor.

use futures_util::future::join_all;
use rstest::rstest;

use super::reader::{all, open, take, verify_chains};
use crate::stage::{Backend, Client, Stage, Storage};

/// Matches that each replica plays concurrently.
const MATCHES: usize = 4;

/// Events of a match of two turns.
const EVENTS: usize = 4 + 2 * 3 + 1;

async fn play(client: Client) -> String {
    let table = client.table(3, 3, 2).await;
    for _ in 0..2 {
        client.turn(&table, "1,1", "3,3").await;
    }
    table.match_id
}

#[rstest]
#[case::memory(Backend::Memory, 1)]
#[case::sqlite(Backend::Sqlite, 1)]
#[case::postgres(Backend::Postgres, 3)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_readers_see_one_order_and_resume_from_any_cursor(
    #[case] backend: Backend,
    #[case] replicas: usize,
) {
    let Some(storage) = Storage::of(backend).await else { return };
    let mut stages = Vec::new();
    for _ in 0..replicas {
        stages.push(Stage::open(&storage).await);
    }
    let count = replicas * MATCHES * EVENTS;
    let mut followers = Vec::new();
    for stage in &stages {
        let mut frames = open(&stage.client, "", None, None).await.unwrap();
        followers.push(tokio::spawn(async move { take(&mut frames, count).await }));
    }
    let players = stages.iter().flat_map(|stage| (0..MATCHES).map(|_| play(stage.client.clone())));
    let mut played = join_all(players).await;
    played.sort();

    let (entries, end) = all(&stages[0].client, "", None).await;
    assert_eq!(entries.len(), count);
    assert_eq!(entries.last().map(|entry| &entry.cursor), Some(&end));
    for follower in followers {
        assert!(follower.await.unwrap() == entries, "a follower saw another order");
    }
    let heads = verify_chains(&entries);
    assert_eq!(heads.keys().collect::<Vec<_>>(), played.iter().collect::<Vec<_>>());
    assert!(heads.values().all(|&seq| seq as usize == EVENTS));
    for (n, entry) in entries.iter().enumerate() {
        let client = &stages[n % replicas].client;
        let (rest, _) = all(client, &entry.cursor, None).await;
        assert!(rest == entries[n + 1..], "after event {n} of the feed");
    }
    for stage in stages {
        stage.close().await;
    }
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test]
async fn acknowledged_events_are_in_the_feed_without_followers(#[case] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let stage = Stage::open(&storage).await;
    let mut cursor = String::new();
    for _ in 0..3 {
        let match_id = stage.client.create(Default::default()).await;
        let (entries, end) = all(&stage.client, &cursor, None).await;
        assert_eq!(entries.iter().map(|entry| &entry.match_id).collect::<Vec<_>>(), [&match_id]);
        cursor = end;
    }
    stage.close().await;

    // A cursor outlives the service.
    let stage = Stage::open(&storage).await;
    let (entries, end) = all(&stage.client, &cursor, None).await;
    assert_eq!((entries.as_slice(), end), (&[][..], cursor));
    stage.close().await;
}
