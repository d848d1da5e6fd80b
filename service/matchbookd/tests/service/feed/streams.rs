//! How a feed begins, what it says while nothing happens, and how it ends.

use std::time::Duration;

use tonic::Code;
use wire::v1;

use super::reader::{Frames, all, item, open, take};
use crate::stage::{Backend, Stage, Storage, refused};

async fn beat(frames: &mut Frames) -> (String, v1::FeedHeartbeat) {
    item(frames.message().await.unwrap().unwrap()).expect_err("a heartbeat")
}

#[tokio::test]
async fn a_follower_is_told_when_it_has_caught_up_and_what_comes_then() {
    let stage = Stage::on(Backend::Memory).await;
    let mut frames = open(&stage.client, "", None, None).await.unwrap();
    let (nowhere, first) = beat(&mut frames).await;
    assert_eq!((nowhere.as_str(), first.caught_up), ("", true), "nothing has happened yet");
    assert!(first.server_time.is_some());
    let match_id = stage.client.create(Default::default()).await;
    let told = take(&mut frames, 1).await;
    assert_eq!(told[0].match_id, match_id);

    let mut frames = open(&stage.client, "", Some(true), None).await.unwrap();
    assert_eq!(take(&mut frames, 1).await, told);
    assert_eq!(beat(&mut frames).await.0, told[0].cursor, "behind the events, once");
    stage.client.create(Default::default()).await;
    let next = item(frames.message().await.unwrap().unwrap()).expect("not a second heartbeat");
    let mut rest = open(&stage.client, &told[0].cursor, None, None).await.unwrap();
    assert_eq!(take(&mut rest, 1).await, [next]);
    stage.close().await;
}

#[tokio::test]
async fn silence_has_a_heartbeat() {
    let storage = Storage::here(Backend::Sqlite).await;
    let mut config = storage.config();
    config.limits.heartbeat_ms = 20;
    let stage = Stage::with(config).await;
    stage.client.create(Default::default()).await;
    let mut frames = open(&stage.client, "", None, None).await.unwrap();
    let told = take(&mut frames, 1).await;
    for _ in 0..4 {
        let (cursor, beat) = beat(&mut frames).await;
        assert_eq!((cursor, beat.caught_up), (told[0].cursor.clone(), true));
    }
    stage.close().await;
}

#[tokio::test]
async fn a_cursor_that_is_none_is_refused() {
    let (stage, other) = (Stage::on(Backend::Memory).await, Stage::on(Backend::Memory).await);
    for stage in [&stage, &other] {
        stage.client.create(Default::default()).await;
    }
    let (_, strange) = all(&other.client, "", None).await;
    let (_, good) = all(&stage.client, "", None).await;
    for bad in [
        "1",
        "x y",
        &good[1..],
        &good.to_lowercase(),
        &strange,
        &format!("mbc_{}", "A".repeat(59)),
        &"A".repeat(10_000),
    ] {
        let outcome = open(&stage.client, bad, None, None).await;
        refused(outcome).is("invalid_argument", Code::InvalidArgument, "cursor").at("after");
    }
    stage.close().await;
    other.close().await;
}

#[tokio::test]
async fn a_cursor_that_is_newer_than_the_database_is_refused() {
    let storage = Storage::here(Backend::Memory).await;
    let stage = Stage::open(&storage).await;
    stage.client.create(Default::default()).await;
    let (_, cursor) = all(&stage.client, "", None).await;
    stage.close().await;
    // The same key and another database, as after an old backup was put back.
    let stage = Stage::open(&storage).await;
    stage.client.create(Default::default()).await;
    let outcome = open(&stage.client, &cursor, None, None).await;
    refused(outcome).is("invalid_argument", Code::InvalidArgument, "older copy").at("after");
    stage.close().await;
}

#[tokio::test]
async fn a_stop_ends_the_feed() {
    let storage = Storage::here(Backend::Sqlite).await;
    let mut config = storage.config();
    // If a reader held up the stop, this test would not end.
    config.limits.shutdown_grace_ms = Duration::from_secs(3600).as_millis().try_into().unwrap();
    let stage = Stage::with(config).await;
    let mut idle = open(&stage.client, "", None, None).await.unwrap();
    assert!(beat(&mut idle).await.1.caught_up);
    stage.close().await;
    let last = idle.message().await;
    refused(last).is("shutting_down", Code::Unavailable, "last cursor");
    assert_eq!(idle.message().await.unwrap(), None);
}

#[tokio::test]
async fn a_feed_takes_a_watch_s_place_and_gives_it_back() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.max_watches = 1;
    let stage = Stage::with(config).await;
    let mut frames = open(&stage.client, "", None, None).await.unwrap();
    beat(&mut frames).await;
    let full = open(&stage.client, "", None, None).await;
    refused(full).is("too_many_streams", Code::ResourceExhausted, "streams");
    drop(frames);
    while open(&stage.client, "", Some(false), None).await.is_err() {
        tokio::task::yield_now().await;
    }
    // A feed that has ended has given its place back before anybody lets go of it.
    let mut ended = Vec::new();
    for _ in 0..3 {
        let mut frames = loop {
            match open(&stage.client, "", Some(false), None).await {
                Ok(frames) => break frames,
                Err(_) => tokio::task::yield_now().await,
            }
        };
        beat(&mut frames).await;
        ended.push(frames);
    }
    stage.close().await;
}
