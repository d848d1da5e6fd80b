//! Logs to archive: invented chains of events.

use archive::ArchivedMatch;
use bytes::Bytes;
use event::{Event, MatchId, RecordTime, SALT_BYTES, Sealed, SealedPart, Seq};
use journal::{Hlc, StoredEvent};
use uuid::Uuid;

/// What varies between events.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    pub kind: u16,
    pub public: Vec<u8>,
    pub sealed: Sealing,
    pub request_hash: Option<[u8; 32]>,
    /// Microseconds since the event before.
    pub after: i64,
    /// The `Hlc` less the record time.
    pub lag: i64,
}

#[derive(Clone, Debug)]
pub(crate) enum Sealing {
    None,
    Closed([u8; 32]),
    Open(Vec<u8>),
}

impl Content {
    pub(crate) fn of(public: &[u8]) -> Self {
        let (sealed, request_hash) = (Sealing::None, None);
        Self { kind: 6, public: public.to_vec(), sealed, request_hash, after: 1_000, lag: 10 }
    }
}

/// Returns a log with these events.
pub(crate) fn log(id: u128, contents: &[Content]) -> ArchivedMatch {
    let match_id = MatchId(Uuid::from_u128(id));
    let (mut previous, mut record_time) = (None, RecordTime(1_790_000_000_000_000));
    let mut events = Vec::new();
    for (content, seq) in contents.iter().zip(1..) {
        record_time.0 += content.after;
        let sealed = match &content.sealed {
            Sealing::None => None,
            Sealing::Closed(commitment) => Some(SealedPart::Closed(*commitment)),
            Sealing::Open(secret) => Some(SealedPart::Open(Sealed::new([9; SALT_BYTES], secret))),
        };
        let public = Bytes::from(content.public.clone());
        let mut event =
            Event { seq: Seq(seq), record_time, kind: content.kind, public, sealed, hash: [0; 32] };
        event.hash = event.link(match_id, previous).hash();
        previous = Some(event.hash);
        let hlc = Hlc(record_time.0 + content.lag);
        events.push(StoredEvent { event, request_hash: content.request_hash, hlc });
    }
    ArchivedMatch::new(match_id, events).unwrap()
}

/// Returns a log with one event of this many bytes that don't compress.
pub(crate) fn large_log(id: u128, bytes: usize) -> ArchivedMatch {
    let mut state = u32::try_from(id).unwrap();
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    log(id, &[Content::of(&std::iter::repeat_with(&mut noise).take(bytes).collect::<Vec<_>>())])
}
