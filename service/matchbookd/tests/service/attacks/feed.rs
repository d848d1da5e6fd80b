//! Readers of a feed of large events, who take their time.

use bytes::Bytes;
use event::{Event, MatchId, RecordTime, Seats, Seq};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use journal::{
    Append, DeadlineChange, Journal, JournalConfig, Labels, MatchRow, NewEvent, Registered, Visibility,
};
use uuid::Uuid;

use super::player::Player;
use super::{assert_memory, serve};
use crate::stage::{Backend, Http, Storage};

/// The number of large events, and their size. A fork of a long match has one such event.
const EVENTS: u128 = 100;
const BYTES: usize = 3 << 20;

/// Readers that come after the first one, more than the bytes of one address allow.
const OTHERS: usize = 40;

/// Stores the first events of public matches. Their content does not matter, as a feed does not read it.
pub(super) async fn store_large_events(storage: &Storage) {
    let journal = Journal::open(JournalConfig::new(storage.url().parse().unwrap())).await.unwrap();
    for number in 0..EVENTS {
        let match_id = MatchId(Uuid::from_u128(0x0192_0000_7000_8000_0000_0000_0000_0000 + number));
        let record_time = RecordTime(1_700_000_000_000_000);
        let public = Bytes::from(vec![7; BYTES]);
        let event = Event { seq: Seq(1), record_time, kind: 2, hash: [7; 32], public, sealed: None };
        let row = MatchRow {
            registered: Registered::new(String::new(), None),
            game: "ludus-magus".to_owned(),
            visibility: Visibility::Public,
            create_time: record_time,
            ..MatchRow::new(match_id)
        };
        let append = Append {
            match_id,
            events: vec![NewEvent { event, request_hash: None }],
            after: None,
            match_row: Some(row),
            deadline: DeadlineChange::Keep,
            labels: Labels::default(),
            to_act: Seats::NONE,
        };
        journal.append(append).await.unwrap();
    }
    journal.close().await;
}

/// Reads so many bytes of a body.
async fn read(body: &mut Incoming, bytes: usize) {
    let mut seen = 0;
    while seen < bytes {
        let frame = body.frame().await.expect("the feed goes on").unwrap();
        seen += frame.data_ref().map_or(0, Bytes::len);
    }
}

/// Opens the feed and takes its first bytes, then no more. Returns `None` if the reader is refused: by a
/// status, or by the end of the response if its headers were sent before the first event was read.
async fn open_and_stall(http: &Http) -> Option<Incoming> {
    let response = http.open(http::Method::GET, "/v1/feed", &[], "").await;
    if response.status() == 429 {
        return None;
    }
    assert_eq!(response.status(), 200);
    let mut body = response.into_body();
    let first = body.frame().await.expect("the feed does not end");
    first.is_ok().then_some(body)
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_readers_of_large_events_are_bounded() {
    let storage = Storage::here(Backend::Sqlite).await;
    store_large_events(&storage).await;
    let process = serve(&storage, &[]);
    let player = Player::at(&process.address).await;
    let http = Http::of(&process.address);
    let mut reader = http.open(http::Method::GET, "/v1/feed", &[], "").await.into_body();
    read(&mut reader, 2 * BYTES).await;
    let mut others = Vec::new();
    for _ in 0..OTHERS {
        others.extend(open_and_stall(&http).await);
    }
    player.makes_moves().await;
    assert!((1..OTHERS).contains(&others.len()), "{} of {OTHERS} are served", others.len());
    // What has been counted for the first one it gets when it likes: the rest of its second event.
    read(&mut reader, BYTES / 2).await;
    player.finish().await;
    assert_memory(&process);
    assert!(process.peak_memory() < 300 << 20, "{} MiB", process.peak_memory() >> 20);
    assert_eq!(process.terminate().0, Some(0));
}
