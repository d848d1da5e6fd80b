//! An event with what the journal stores besides.

use bytes::Bytes;
use event::{Event, Sealed};

use crate::Hlc;

/// An event to append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// The event. Reads return its bytes unchanged.
    pub event: Event,
    /// The hash of the caller's `request_id`. It is outside the hash chain and never exported.
    pub request_hash: Option<[u8; 32]>,
}

/// An event in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    /// The event as it was appended.
    pub event: Event,
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

    /// Returns the bytes of the sealed part.
    pub(crate) fn sealed(&self) -> Option<&Bytes> {
        self.event.sealed.as_ref().map(Sealed::as_bytes)
    }
}
