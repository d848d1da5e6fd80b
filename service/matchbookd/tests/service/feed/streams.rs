//! The life of a feed stream: catching up, heartbeats, invalid cursors, permits, and shutdown.

use std::time::Duration;

use tonic::Code;
use wire::v1;

use super::reader::{Frames, all, entry, open, take};
use crate::stage::{Backend, Stage, Storage, refused};

async fn next_heartbeat(frames: &mut Frames) -> (String, v1::FeedHeartbeat) {
    entry(frames.message().await.unwrap().unwrap()).expect_err("a heartbeat")
}

#[tokio::test]
async fn a_follower_gets_one_heartbeat_when_caught_up_and_then_new_events() {
    let stage = Stage::on(Backend::Memory).await;
    let mut frames = open(&stage.client, "", None, None).await.unwrap();
    let (cursor, first) = next_heartbeat(&mut frames).await;
    assert_eq!((cursor.as_str(), first.caught_up), ("", true), "an empty feed is caught up at once");
    assert!(first.server_time.is_some());
    let match_id = stage.client.create(Default::default()).await;
    let received = take(&mut frames, 1).await;
    assert_eq!(received[0].match_id, match_id);

    let mut frames = open(&stage.client, "", Some(true), None).await.unwrap();
    assert_eq!(take(&mut frames, 1).await, received);
    assert_eq!(next_heartbeat(&mut frames).await.0, received[0].cursor, "one heartbeat after the events");
    stage.client.create(Default::default()).await;
    let next = entry(frames.message().await.unwrap().unwrap()).expect("an event, not a second heartbeat");
    let mut rest = open(&stage.client, &received[0].cursor, None, None).await.unwrap();
    assert_eq!(take(&mut rest, 1).await, [next]);
    stage.close().await;
}

#[tokio::test]
async fn an_idle_feed_sends_heartbeats() {
    let storage = Storage::here(Backend::Sqlite).await;
    let mut config = storage.config();
    config.limits.heartbeat = Duration::from_millis(20);
    let stage = Stage::with(config).await;
    stage.client.create(Default::default()).await;
    let mut frames = open(&stage.client, "", None, None).await.unwrap();
    let received = take(&mut frames, 1).await;
    for _ in 0..4 {
        let (cursor, heartbeat) = next_heartbeat(&mut frames).await;
        assert_eq!((cursor, heartbeat.caught_up), (received[0].cursor.clone(), true));
    }
    stage.close().await;
}

#[tokio::test]
async fn an_invalid_cursor_is_rejected() {
    let (stage, other) = (Stage::on(Backend::Memory).await, Stage::on(Backend::Memory).await);
    for stage in [&stage, &other] {
        stage.client.create(Default::default()).await;
    }
    let (_, foreign) = all(&other.client, "", None).await;
    let (_, valid) = all(&stage.client, "", None).await;
    for invalid in [
        "1",
        "x y",
        &valid[1..],
        &valid.to_lowercase(),
        &foreign,
        &format!("mbc_{}", "A".repeat(59)),
        &"A".repeat(10_000),
    ] {
        let outcome = open(&stage.client, invalid, None, None).await;
        refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "cursor").at("after");
    }
    stage.close().await;
    other.close().await;
}

#[tokio::test]
async fn a_cursor_newer_than_the_database_is_rejected() {
    let storage = Storage::here(Backend::Memory).await;
    let stage = Stage::open(&storage).await;
    stage.client.create(Default::default()).await;
    let (_, cursor) = all(&stage.client, "", None).await;
    stage.close().await;
    // The same key with an older database, as after restoring a backup.
    let stage = Stage::open(&storage).await;
    stage.client.create(Default::default()).await;
    let outcome = open(&stage.client, &cursor, None, None).await;
    refused(outcome).is("INVALID_ARGUMENT", Code::InvalidArgument, "older copy").at("after");
    stage.close().await;
}

#[tokio::test]
async fn a_shutdown_ends_the_feed() {
    let storage = Storage::here(Backend::Sqlite).await;
    let mut config = storage.config();
    // The test hangs if a reader delays the shutdown.
    config.limits.shutdown_grace = Duration::from_secs(3600);
    let stage = Stage::with(config).await;
    let mut idle = open(&stage.client, "", None, None).await.unwrap();
    assert!(next_heartbeat(&mut idle).await.1.caught_up);
    stage.close().await;
    let last = idle.message().await;
    refused(last).is("SHUTTING_DOWN", Code::Unavailable, "last cursor");
    assert_eq!(idle.message().await.unwrap(), None);
}

#[tokio::test]
async fn a_feed_holds_a_watch_permit_until_it_ends() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.max_watches = 1;
    let stage = Stage::with(config).await;
    let mut frames = open(&stage.client, "", None, None).await.unwrap();
    next_heartbeat(&mut frames).await;
    let full = open(&stage.client, "", None, None).await;
    refused(full).is("TOO_MANY_STREAMS", Code::ResourceExhausted, "streams");
    drop(frames);
    while open(&stage.client, "", Some(false), None).await.is_err() {
        tokio::task::yield_now().await;
    }
    // A feed that has ended has released its permit before the client drops the stream.
    let mut ended = Vec::new();
    for _ in 0..3 {
        let mut frames = loop {
            match open(&stage.client, "", Some(false), None).await {
                Ok(frames) => break frames,
                Err(_) => tokio::task::yield_now().await,
            }
        };
        next_heartbeat(&mut frames).await;
        ended.push(frames);
    }
    stage.close().await;
}
