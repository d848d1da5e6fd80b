//! What a reader of the feed takes from it, and what it can check with nothing else.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use tonic::{Status, Streaming};
use uuid::Uuid;
use wire::v1;
use wire::v1::stream_feed_response::Frame;

use crate::stage::{Client, sent};

pub(super) type Frames = Streaming<v1::StreamFeedResponse>;

/// An event and its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    pub(super) cursor: String,
    pub(super) match_id: String,
    pub(super) event: v1::LogEvent,
}

/// Opens the feed; it follows unless it is told not to.
pub(super) async fn open(
    client: &Client,
    after: &str,
    follow: Option<bool>,
    token: Option<&str>,
) -> Result<Frames, Status> {
    let request = v1::StreamFeedRequest { after: after.to_owned(), follow };
    Ok(client.logs.clone().stream_feed(sent(request, token)).await?.into_inner())
}

/// Everything after a place up to now, and the cursor at its end.
pub(super) async fn all(client: &Client, after: &str, token: Option<&str>) -> (Vec<Item>, String) {
    let mut frames = open(client, after, Some(false), token).await.unwrap();
    let mut items = Vec::new();
    loop {
        let frame = frames.message().await.unwrap().expect("the last frame is a heartbeat");
        match item(frame) {
            Ok(item) => items.push(item),
            Err((cursor, beat)) if beat.caught_up => {
                assert_eq!(frames.message().await.unwrap(), None);
                return (items, cursor);
            }
            Err(_held_back) => {}
        }
    }
}

/// So many events of an open feed, whatever heartbeats come between.
pub(super) async fn take(frames: &mut Frames, count: usize) -> Vec<Item> {
    let mut items = Vec::new();
    while items.len() < count {
        items.extend(item(frames.message().await.unwrap().expect("the feed follows")));
    }
    items
}

/// An event, or a heartbeat and its cursor.
pub(super) fn item(frame: v1::StreamFeedResponse) -> Result<Item, (String, v1::FeedHeartbeat)> {
    match frame.frame.unwrap() {
        Frame::Event(event) => {
            Ok(Item { cursor: frame.cursor, match_id: event.match_id, event: event.event.unwrap() })
        }
        Frame::Heartbeat(beat) => Err((frame.cursor, beat)),
    }
}

/// Checks every match's chain by the page `docs/audit.md` alone; gives how far each has come.
pub(super) fn chains(items: &[Item]) -> BTreeMap<String, u32> {
    let mut heads: BTreeMap<String, (u32, Vec<u8>)> = BTreeMap::new();
    for Item { match_id, event, .. } in items {
        assert_eq!(event.opened, None, "the feed opens nothing");
        let (seq, head) = heads.entry(match_id.clone()).or_insert((0, vec![0; 32]));
        assert_eq!(event.seq, *seq + 1, "{match_id} has a gap or a double");
        let mut hash = Sha256::new_with_prefix(b"matchbook.event.v1\0");
        hash.update(&*head);
        hash.update(match_id.parse::<Uuid>().unwrap());
        hash.update(event.seq.to_be_bytes());
        hash.update(u16::try_from(event.kind).unwrap().to_be_bytes());
        hash.update(event.recorded_time.to_be_bytes());
        hash.update(Sha256::digest(&event.public));
        hash.update(event.commitment.clone().unwrap_or(vec![0; 32]));
        assert_eq!(hash.finalize().to_vec(), event.hash, "event {} of {match_id}", event.seq);
        (*seq, *head) = (event.seq, event.hash.clone());
    }
    heads.into_iter().map(|(match_id, (seq, _))| (match_id, seq)).collect()
}
