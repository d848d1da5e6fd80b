//! The body of a commit: what a batch did, redacted, as bytes that depend on nothing but the batch. It tells other
//! replicas what happened, and a writer that lost its connection whether a commit was its own.

use bytes::Bytes;
use event::Event;
use prost::Message;
use uuid::Uuid;

use crate::ids::ReplicaId;
use crate::{MatchId, Seq};

/// Why a row is in the commit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, prost::Enumeration)]
#[repr(i32)]
pub(crate) enum Purpose {
    Unknown = 0,
    /// It carries events.
    Events = 1,
    /// The lane begins.
    Opening = 2,
    /// The lane lives.
    KeepAlive = 3,
    /// The lane is over.
    Closing = 4,
    /// The lane lives, and a reader of the feed waits for all the others.
    Asking = 5,
}

/// The message in `commit_log.body`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Body {
    /// Who wrote it: two replicas never write the same body.
    #[prost(bytes = "bytes", tag = "1")]
    replica: Bytes,
    #[prost(enumeration = "Purpose", tag = "2")]
    purpose: i32,
    #[prost(message, repeated, tag = "3")]
    events: Vec<LoggedEvent>,
}

/// An event without its sealed part and without its request.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct LoggedEvent {
    #[prost(bytes = "bytes", tag = "1")]
    match_id: Bytes,
    #[prost(uint32, tag = "2")]
    seq: u32,
    #[prost(int64, tag = "3")]
    recorded_time: i64,
    #[prost(uint32, tag = "4")]
    kind: u32,
    #[prost(bytes = "bytes", tag = "5")]
    hash: Bytes,
    #[prost(bytes = "bytes", tag = "6")]
    public: Bytes,
    #[prost(bytes = "bytes", tag = "7")]
    sealed_hash: Bytes,
}

/// Encodes a body; `events` in the batch's order.
pub(crate) fn encode<'a>(
    replica: ReplicaId,
    purpose: Purpose,
    events: impl Iterator<Item = (MatchId, &'a Event)>,
) -> Bytes {
    let body = Body {
        replica: Bytes::copy_from_slice(replica.0.as_bytes()),
        purpose: purpose.into(),
        events: events.map(|(id, event)| redact(id, event)).collect(),
    };
    body.encode_to_vec().into()
}

fn redact(id: MatchId, event: &Event) -> LoggedEvent {
    LoggedEvent {
        match_id: Bytes::copy_from_slice(id.0.as_bytes()),
        seq: event.seq.0,
        recorded_time: event.recorded_time.0,
        kind: event.kind.into(),
        hash: Bytes::copy_from_slice(&event.hash),
        public: event.public.clone(),
        sealed_hash: event.commitment().map_or_else(Bytes::new, |hash| Bytes::copy_from_slice(&hash)),
    }
}

/// Which matches a body changed, each with its last event; or none if the bytes are no body.
pub(crate) fn heads(body: Bytes) -> Option<(Purpose, Vec<(MatchId, Seq)>)> {
    let body = Body::decode(body).ok()?;
    let purpose = body.purpose();
    let mut heads: Vec<(MatchId, Seq)> = Vec::new();
    for event in body.events {
        let id = MatchId(Uuid::from_slice(&event.match_id).ok()?);
        match heads.last_mut() {
            // The events are sorted, so a match's stand together with the last one last.
            Some((last, seq)) if *last == id => *seq = Seq(event.seq),
            _ => heads.push((id, Seq(event.seq))),
        }
    }
    Some((purpose, heads))
}
