//! The body of a commit: what a batch changed, without secrets, as bytes that depend on the batch alone.
//! Other replicas learn from it which matches have new events; a writer that lost its connection recognizes
//! its own commit by it.

use bytes::Bytes;
use event::RedactedEvent;
use prost::Message;
use uuid::Uuid;

use crate::ids::ReplicaId;
use crate::{MatchId, Seq};

/// Why a commit was made. The numbers are stored and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, prost::Enumeration)]
#[repr(i32)]
pub(crate) enum Purpose {
    Unknown = 0,
    /// Appends events.
    Events = 1,
    /// Opens the writer.
    Opening = 2,
    /// Shows that the writer is alive, or moves its hlc forward.
    KeepAlive = 3,
    /// Closes the writer.
    Closing = 4,
    /// Asks all other writers to commit, because a reader of the feed waits for them.
    FrontierRequest = 5,
    /// Erases players.
    Erasing = 6,
}

/// The message in `commit_log.body`.
#[derive(Clone, PartialEq, Message)]
struct Body {
    /// The replica that wrote it: two replicas never write the same body.
    #[prost(bytes = "bytes", tag = "1")]
    replica: Bytes,
    #[prost(enumeration = "Purpose", tag = "2")]
    purpose: i32,
    #[prost(message, repeated, tag = "3")]
    events: Vec<LoggedEvent>,
    /// Matches in which a player was erased.
    #[prost(bytes = "bytes", repeated, tag = "4")]
    erased: Vec<Bytes>,
}

/// What other replicas learn from a body.
pub(crate) struct DecodedBody {
    pub(crate) purpose: Purpose,
    /// The last event of each match with new events.
    pub(crate) heads: Vec<(MatchId, Seq)>,
    /// Matches in which a player was erased.
    pub(crate) erased: Vec<MatchId>,
}

/// An event without its sealed part and its request hash.
#[derive(Clone, PartialEq, Message)]
struct LoggedEvent {
    #[prost(bytes = "bytes", tag = "1")]
    match_id: Bytes,
    #[prost(uint32, tag = "2")]
    seq: u32,
    #[prost(int64, tag = "3")]
    record_time: i64,
    #[prost(uint32, tag = "4")]
    kind: u32,
    #[prost(bytes = "bytes", tag = "5")]
    hash: Bytes,
    #[prost(bytes = "bytes", tag = "6")]
    public: Bytes,
    #[prost(bytes = "bytes", tag = "7")]
    sealed_hash: Bytes,
}

/// Encodes the body of a commit; `events` are sorted by (match, seq).
pub(crate) fn encode_body<'a>(
    replica: ReplicaId,
    purpose: Purpose,
    events: impl Iterator<Item = (MatchId, &'a RedactedEvent)>,
) -> Bytes {
    let events = events.map(|(id, event)| redact(id, event)).collect();
    Body { events, ..Body::new(replica, purpose) }.encode_to_vec().into()
}

/// Encodes the body of a commit without events.
pub(crate) fn encode_empty_body(replica: ReplicaId, purpose: Purpose) -> Bytes {
    Body::new(replica, purpose).encode_to_vec().into()
}

/// Encodes the body of a commit that erases players in these matches.
pub(crate) fn encode_erasing_body(replica: ReplicaId, matches: &[MatchId]) -> Bytes {
    let erased = matches.iter().map(|id| encode_id(*id)).collect();
    Body { erased, ..Body::new(replica, Purpose::Erasing) }.encode_to_vec().into()
}

impl Body {
    fn new(replica: ReplicaId, purpose: Purpose) -> Body {
        let replica = Bytes::copy_from_slice(replica.0.as_bytes());
        Body { replica, purpose: purpose.into(), events: Vec::new(), erased: Vec::new() }
    }
}

fn encode_id(id: MatchId) -> Bytes {
    Bytes::copy_from_slice(id.0.as_bytes())
}

fn decode_id(bytes: &[u8]) -> Option<MatchId> {
    Uuid::from_slice(bytes).ok().map(MatchId)
}

fn redact(id: MatchId, event: &RedactedEvent) -> LoggedEvent {
    LoggedEvent {
        match_id: encode_id(id),
        seq: event.seq.0,
        record_time: event.record_time.0,
        kind: event.kind.into(),
        hash: Bytes::copy_from_slice(&event.hash),
        public: event.public.clone(),
        sealed_hash: event.commitment().map_or_else(Bytes::new, |hash| Bytes::copy_from_slice(&hash)),
    }
}

/// Decodes a body. Returns `None` for bytes that are no body.
pub(crate) fn decode_body(body: Bytes) -> Option<DecodedBody> {
    let body = Body::decode(body).ok()?;
    let purpose = body.purpose();
    let mut heads: Vec<(MatchId, Seq)> = Vec::new();
    for event in body.events {
        let id = decode_id(&event.match_id)?;
        match heads.last_mut() {
            // Events are sorted by (match, seq): a match's last one overwrites those before.
            Some((last, seq)) if *last == id => *seq = Seq(event.seq),
            _ => heads.push((id, Seq(event.seq))),
        }
    }
    let erased = body.erased.iter().map(|id| decode_id(id)).collect::<Option<_>>()?;
    Some(DecodedBody { purpose, heads, erased })
}
