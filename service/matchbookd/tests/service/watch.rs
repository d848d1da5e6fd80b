//! Watches of a match: a start frame, then each event once and in order, from any seq to the end.

use std::time::Duration;

use rstest::rstest;
use tokio_stream::StreamExt;
use tonic::{Code, Streaming};
use wire::v1::watch_match_response::Frame;
use wire::v1::{self, MatchStatus};

use crate::stage::{Backend, Client, Stage, Storage, Table, refused};

type Frames = Streaming<v1::WatchMatchResponse>;

async fn next_response(frames: &mut Frames) -> v1::WatchMatchResponse {
    frames.next().await.expect("another frame").unwrap()
}

async fn next(frames: &mut Frames) -> Frame {
    next_response(frames).await.frame.unwrap()
}

/// Returns the seq of the newest event and the view of the start frame.
async fn start(frames: &mut Frames) -> (u32, Option<v1::View>) {
    let first = next_response(frames).await;
    let Some(Frame::Start(start)) = first.frame else { panic!("the first frame is not a start") };
    (start.head_seq, first.view)
}

/// Returns all events until the stream ends without an error.
async fn rest(mut frames: Frames) -> Vec<v1::Event> {
    let mut events = Vec::new();
    while let Some(frame) = frames.next().await {
        match frame.unwrap().frame.unwrap() {
            Frame::Event(event) => events.push(event),
            Frame::Heartbeat(_) => {}
            Frame::Start(_) => panic!("a second start"),
        }
    }
    events
}

async fn play(client: &Client, table: &Table, turns: u32) {
    for _ in 0..turns {
        client.turn(table, "1,1", "3,3").await;
    }
}

#[rstest]
#[case::memory(Backend::Memory)]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test]
async fn a_watch_from_any_seq_gets_each_event_once(#[case] backend: Backend) {
    let Some(storage) = Storage::of(backend).await else { return };
    let stage = Stage::open(&storage).await;
    let table = stage.client.table(3, 3, 12).await;
    play(&stage.client, &table, 4).await;

    let mut watches = Vec::new();
    for after_seq in [Some(0), Some(1), Some(5), Some(15), Some(16), None] {
        for token in [None, Some(table.tokens[1].clone())] {
            let mut frames = stage.client.watch(&table.match_id, after_seq, token.as_deref()).await.unwrap();
            let (head_seq, view) = start(&mut frames).await;
            assert_eq!(head_seq, 16);
            assert_eq!(view.map(|view| view.seq), after_seq.or(Some(16)).filter(|seq| *seq > 0));
            watches.push((after_seq.unwrap_or(16), token, tokio::spawn(rest(frames))));
        }
    }
    play(&stage.client, &table, 8).await;
    for (after_seq, token, watch) in watches {
        let watched = watch.await.unwrap();
        let log = stage.client.events(&table.match_id, token.as_deref(), 500).await;
        assert_eq!(log.len(), 4 + 3 * 12 + 1);
        assert_eq!(watched, log[after_seq as usize..], "after {after_seq}");
    }
    stage.close().await;
}

#[tokio::test]
async fn a_watch_of_a_finished_match_ends_after_its_last_event() {
    let stage = Stage::on(Backend::Sqlite).await;
    let table = stage.client.table(3, 3, 1).await;
    play(&stage.client, &table, 1).await;
    for (after_seq, left) in [(None, 0), (Some(8), 0), (Some(7), 1), (Some(0), 8)] {
        let mut frames = stage.client.watch(&table.match_id, after_seq, None).await.unwrap();
        let (head_seq, view) = start(&mut frames).await;
        assert_eq!(head_seq, 8);
        if after_seq.is_none() {
            assert_eq!(view.unwrap().status(), MatchStatus::Over);
        }
        assert_eq!(rest(frames).await.len(), left);
    }
    stage.close().await;
}

#[tokio::test]
async fn a_watch_of_an_open_match_sees_it_start() {
    let stage = Stage::on(Backend::Memory).await;
    let match_id = stage.client.create(Default::default()).await;
    let mut frames = stage.client.watch(&match_id, None, None).await.unwrap();
    let view = start(&mut frames).await.1.unwrap();
    assert_eq!((view.seq, view.status()), (1, MatchStatus::Open));
    stage.client.claim(&match_id, 1, "Ben").await.unwrap();
    stage.client.claim(&match_id, 0, "Ann").await.unwrap();
    for seq in 2..=4 {
        let Frame::Event(event) = next(&mut frames).await else { panic!("no event") };
        assert_eq!(event.seq, seq);
    }
    stage.close().await;
}

#[tokio::test]
async fn invalid_watches_are_refused() {
    let stage = Stage::on(Backend::Memory).await;
    let table = stage.client.table(3, 3, 1).await;
    let ahead = stage.client.watch(&table.match_id, Some(5), None).await;
    refused(ahead).is("UNKNOWN_SEQ", Code::OutOfRange, "no event 5").has("actual_seq", 4);
    let stranger = stage.client.watch(&table.match_id, None, Some("mbs_x")).await;
    refused(stranger).is("BAD_TOKEN", Code::Unauthenticated, "token");
    let unknown = stage.client.watch("0192f0c1-2b3a-7c4d-8e5f-60718293a4b5", None, None).await;
    refused(unknown).is("UNKNOWN_MATCH", Code::NotFound, "match not found");
    stage.close().await;
}

#[tokio::test]
async fn an_idle_watch_gets_heartbeats() {
    let storage = Storage::here(Backend::Memory).await;
    let mut config = storage.config();
    config.limits.heartbeat = Duration::from_millis(20);
    let stage = Stage::with(config).await;
    let table = stage.client.table(3, 3, 1).await;
    let mut frames = stage.client.watch(&table.match_id, None, None).await.unwrap();
    start(&mut frames).await;
    for _ in 0..3 {
        let response = next_response(&mut frames).await;
        let Some(Frame::Heartbeat(beat)) = response.frame else { panic!("no heartbeat") };
        assert_eq!(beat, v1::Heartbeat { head_seq: 4, spectator_count: 1 });
        assert!(response.server_time.is_some());
    }
    stage.close().await;
}

#[tokio::test]
async fn a_shutdown_ends_watches() {
    let storage = Storage::here(Backend::Sqlite).await;
    let mut config = storage.config();
    // If a watch delayed the shutdown, this test would not end.
    config.limits.shutdown_grace = Duration::from_secs(3600);
    let stage = Stage::with(config).await;
    let table = stage.client.table(3, 3, 1).await;
    let mut watches = Vec::new();
    for _ in 0..3 {
        let mut frames = stage.client.watch(&table.match_id, None, None).await.unwrap();
        start(&mut frames).await;
        watches.push(frames);
    }
    stage.close().await;
    for mut frames in watches {
        let last = frames.next().await.expect("a final status");
        refused(last).is("SHUTTING_DOWN", Code::Unavailable, "");
        assert!(frames.next().await.is_none());
    }
}
