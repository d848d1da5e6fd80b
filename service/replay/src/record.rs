//! An event as it is stored: the bytes that were hashed, and what stands beside
//! them. How a journal keeps it, and under which request, is not known here.

use std::fmt;

use bytes::Bytes;

use crate::{ChainHash, Sealed, SealedPart};

/// One event of a match's log, ready to be stored or just read.
#[derive(Clone, PartialEq, Eq)]
pub struct Record {
    /// Its number in the match, from 1.
    pub seq: u32,
    /// The database's clock when it was recorded, in microseconds since 1970;
    /// strictly growing in a match.
    pub recorded_time: i64,
    /// The number of its kind, see [`crate::EventKind`].
    pub kind: u16,
    /// The exact bytes of the public part.
    pub public: Bytes,
    /// Salt and secret, if the event has a sealed part.
    pub sealed: Option<Sealed>,
    /// Its place in the chain: a hash over this event and all before it.
    pub hash: ChainHash,
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Contents stay out of logs, even the public part.
        f.debug_struct("Record").field("seq", &self.seq).field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// An event as a copy of the log has it: what is sealed may be left out.
#[derive(Clone, PartialEq, Eq)]
pub struct Redacted {
    /// Its number in the match, from 1.
    pub seq: u32,
    /// When it was recorded, as in [`Record`].
    pub recorded_time: i64,
    /// The number of its kind.
    pub kind: u16,
    /// The exact bytes of the public part.
    pub public: Bytes,
    /// The sealed part or its commitment, if the event has one.
    pub sealed: Option<SealedPart>,
    /// Its place in the chain.
    pub hash: ChainHash,
}

impl From<&Record> for Redacted {
    /// Leaves nothing out.
    fn from(record: &Record) -> Self {
        Self {
            seq: record.seq,
            recorded_time: record.recorded_time,
            kind: record.kind,
            public: record.public.clone(),
            sealed: record.sealed.clone().map(SealedPart::Open),
            hash: record.hash,
        }
    }
}
