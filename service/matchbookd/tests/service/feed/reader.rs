//! A reader of the feed, which verifies the chains from its events alone.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use tonic::{Status, Streaming};
use uuid::Uuid;
use wire::v1;
use wire::v1::stream_feed_response::Frame;

use crate::stage::{Client, sent};

pub(super) type Frames = Streaming<v1::StreamFeedResponse>;

/// An event, its match, and the cursor after it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) cursor: String,
    pub(super) match_id: String,
    pub(super) event: v1::LogEvent,
}

/// Opens the feed, which follows unless `follow` is false.
pub(super) async fn open(
    client: &Client,
    after: &str,
    follow: Option<bool>,
    token: Option<&str>,
) -> Result<Frames, Status> {
    let request = v1::StreamFeedRequest { after: after.to_owned(), follow };
    Ok(client.logs.clone().stream_feed(sent(request, token)).await?.into_inner())
}

/// Returns all entries after a cursor up to the head of the feed, and the cursor of the head.
pub(super) async fn all(client: &Client, after: &str, token: Option<&str>) -> (Vec<Entry>, String) {
    let mut frames = open(client, after, Some(false), token).await.unwrap();
    let mut entries = Vec::new();
    loop {
        let frame = frames.message().await.unwrap().expect("the last frame is a heartbeat");
        match entry(frame) {
            Ok(entry) => entries.push(entry),
            Err((cursor, heartbeat)) if heartbeat.caught_up => {
                assert_eq!(frames.message().await.unwrap(), None);
                return (entries, cursor);
            }
            Err(_held_back) => {}
        }
    }
}

/// Returns the next `count` events of an open feed, ignoring heartbeats.
pub(super) async fn take(frames: &mut Frames, count: usize) -> Vec<Entry> {
    let mut entries = Vec::new();
    while entries.len() < count {
        entries.extend(entry(frames.message().await.unwrap().expect("the feed follows new events")));
    }
    entries
}

/// Returns the frame's event, or as an error its heartbeat and cursor.
pub(super) fn entry(frame: v1::StreamFeedResponse) -> Result<Entry, (String, v1::FeedHeartbeat)> {
    match frame.frame.unwrap() {
        Frame::Event(event) => {
            Ok(Entry { cursor: frame.cursor, match_id: event.match_id, event: event.event.unwrap() })
        }
        Frame::Heartbeat(heartbeat) => Err((frame.cursor, heartbeat)),
    }
}

/// Verifies every match's chain by `docs/audit.md` alone and returns the last seq of each.
pub(super) fn verify_chains(entries: &[Entry]) -> BTreeMap<String, u32> {
    let mut heads: BTreeMap<String, (u32, Vec<u8>)> = BTreeMap::new();
    for Entry { match_id, event, .. } in entries {
        assert_eq!(event.opened, None, "the feed opened a sealed part");
        let (seq, head) = heads.entry(match_id.clone()).or_insert((0, vec![0; 32]));
        assert_eq!(event.seq, *seq + 1, "{match_id} has a gap or a duplicate");
        let mut hash = Sha256::new_with_prefix(b"matchbook.event.v1\0");
        hash.update(&*head);
        hash.update(match_id.parse::<Uuid>().unwrap());
        hash.update(event.seq.to_be_bytes());
        hash.update(u16::try_from(event.kind).unwrap().to_be_bytes());
        hash.update(event.record_time_us.to_be_bytes());
        hash.update(Sha256::digest(&event.public_part));
        hash.update(event.commitment.clone().unwrap_or(vec![0; 32]));
        assert_eq!(hash.finalize().to_vec(), event.hash, "event {} of {match_id}", event.seq);
        (*seq, *head) = (event.seq, event.hash.clone());
    }
    heads.into_iter().map(|(match_id, (seq, _))| (match_id, seq)).collect()
}
