//! Conversions of stored events and their fields.

use event::{MatchId, Part, RedactedEvent, Sealed};
use wire::v1 as proto;

/// Converts a stored event, with its sealed part if that is at hand.
pub fn log_event_to_wire(event: &RedactedEvent) -> proto::LogEvent {
    let opened = event.sealed.as_ref().and_then(Part::opened).map(Sealed::as_bytes);
    proto::LogEvent {
        seq: event.seq.0,
        record_time: event.record_time.0,
        kind: u32::from(event.kind),
        public: event.public.to_vec(),
        commitment: event.commitment().map(|commitment| commitment.to_vec()),
        opened: opened.map(|bytes| bytes.to_vec()),
        hash: event.hash.to_vec(),
    }
}

/// Converts the 16 bytes of a match id.
pub(crate) fn id_to_wire(bytes: &[u8]) -> Option<String> {
    MatchId::from_bytes(bytes).map(|id| id.to_string())
}

/// Converts a hash or a commitment.
pub(crate) fn digest_to_wire(digest: &[u8; 32]) -> proto::Digest {
    proto::Digest { value: digest.to_vec() }
}
