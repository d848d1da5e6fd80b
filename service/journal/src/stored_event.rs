//! What the journal keeps beside an event.

use bytes::Bytes;
use event::{Event, Sealed};

use crate::Clock;

/// An event to be appended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// The event. Its bytes come back exactly as they were given.
    pub event: Event,
    /// Hash of the caller's `request_id`, outside the chain and never exported.
    pub request_hash: Option<[u8; 32]>,
}

/// An event that is in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// The event as it was appended.
    pub event: Event,
    /// Hash of the `request_id` of the call that appended it.
    pub request_hash: Option<[u8; 32]>,
    /// The clock of the batch that carried it.
    pub clock: Clock,
}

impl NewEvent {
    /// Returns the bytes that the event takes in a batch.
    pub(crate) fn size(&self) -> usize {
        const FIXED: usize = 160;
        FIXED + self.event.public.len() + self.sealed().map_or(0, Bytes::len)
    }

    /// Returns the bytes of the sealed part.
    pub(crate) fn sealed(&self) -> Option<&Bytes> {
        self.event.sealed.as_ref().map(Sealed::as_bytes)
    }
}
