//! An event with what the journal stores besides.

use std::fmt;

use bytes::Bytes;
use event::{Part, RedactedEvent, Sealed};

use crate::Hlc;

/// An event to append.
#[derive(Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// The event. Reads return its bytes unchanged; of a closed sealed part only the commitment is stored.
    pub event: RedactedEvent,
    /// The hash of the caller's `request_id`. It is outside the hash chain and never exported.
    pub request_hash: Option<[u8; 32]>,
}

/// An event in the database.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// The event as it was appended.
    pub event: RedactedEvent,
    /// The hash of the `request_id` of the call that appended it.
    pub request_hash: Option<[u8; 32]>,
    /// The `Hlc` of the batch that appended it.
    pub hlc: Hlc,
}

impl NewEvent {
    /// Returns the bytes that the event takes up in a batch.
    pub(crate) fn size(&self) -> usize {
        const FIXED: usize = 160;
        FIXED + self.event.public.len() + self.sealed().map_or(0, Bytes::len)
    }

    /// Returns the bytes of the sealed part, unless only its commitment is stored.
    pub(crate) fn sealed(&self) -> Option<&Bytes> {
        self.event.sealed.as_ref().and_then(Part::opened).map(Sealed::as_bytes)
    }
}

// A retried call's answer depends on its request id, so not even the id's hash may reach a log.
impl fmt::Debug for NewEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewEvent").field("event", &self.event).finish_non_exhaustive()
    }
}

impl fmt::Debug for StoredEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("StoredEvent");
        out.field("event", &self.event).field("hlc", &self.hlc).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use event::{ChainHash, Event, RecordTime, Seq};

    use super::*;

    #[test]
    fn printing_an_event_never_shows_the_hash_of_its_request() {
        let event = Event {
            seq: Seq(1),
            record_time: RecordTime(0),
            kind: 5,
            public: Bytes::new(),
            sealed: None,
            hash: ChainHash::from([7; 32]),
        };
        let request_hash = Some([201; 32]);
        let new = NewEvent { event: event.clone(), request_hash };
        let stored = StoredEvent { event, request_hash, hlc: Hlc(1) };
        for printed in [format!("{new:?}"), format!("{stored:?}")] {
            assert!(!printed.contains("201"), "{printed}");
        }
    }
}
