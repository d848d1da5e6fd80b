//! An event as the journal keeps it: bytes that it does not understand, and what it needs to file them.

use std::fmt;

use bytes::Bytes;

use crate::{Clock, RecordedTime, Seq};

/// One entry of a match's log. The bytes come back exactly as they were given.
#[derive(Clone, PartialEq, Eq)]
pub struct Event {
    /// Its place in the match.
    pub seq: Seq,
    /// When it happened; hashed into the chain.
    pub recorded_time: RecordedTime,
    /// What it is, as a number above zero that the caller gives meaning to.
    pub kind: u16,
    /// Hash of the caller's `request_id`, outside the chain and never exported.
    pub request_hash: Option<[u8; 32]>,
    /// The chain's hash after this event.
    pub hash: [u8; 32],
    /// What every viewer of the log may have.
    pub public: Bytes,
    /// What nobody may have until it is opened; present exactly if `sealed_hash` is.
    pub sealed: Option<Bytes>,
    /// The commitment to `sealed`.
    pub sealed_hash: Option<[u8; 32]>,
}

/// An event that is in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// The event as it was appended.
    pub event: Event,
    /// The clock of the batch that carried it.
    pub clock: Clock,
}

impl Event {
    /// What the event takes in a batch, in bytes.
    pub(crate) fn size(&self) -> usize {
        const FIXED: usize = 160;
        FIXED + self.public.len() + self.sealed.as_ref().map_or(0, Bytes::len)
    }
}

// The bytes may be secret, and a log line is no place for them anyway.
impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("seq", &self.seq.0)
            .field("kind", &self.kind)
            .field("recorded_time", &self.recorded_time.0)
            .field("public_len", &self.public.len())
            .field("sealed_len", &self.sealed.as_ref().map(Bytes::len))
            .finish_non_exhaustive()
    }
}
