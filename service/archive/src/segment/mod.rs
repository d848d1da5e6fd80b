//! A segment: blocks, an index, a signed note. Everything but the note is encrypted.

mod read;
mod write;

use std::fmt;

use uuid::Uuid;

pub use read::OpenSegment;
pub(crate) use read::{NOTE_WINDOW, note_of_end};
pub use write::{MAX_SEGMENT_MATCHES, SegmentWriter, WrittenSegment};

/// First bytes of a segment. No text starts like this.
pub(crate) const START: [u8; 8] = *b"\x8bmbseg\n\x01";

/// Last bytes of a segment, after the note and its length as 4 big-endian bytes.
const END: [u8; 8] = *b"\x01\ngesbm\x8b";

/// The id of a segment: a UUIDv7, so ids sort by the time of writing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SegmentId(pub Uuid);

/// What a segment's note says of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SegmentSummary {
    /// Number of matches.
    pub matches: u64,
    /// Number of their events.
    pub events: u64,
    /// Size in bytes.
    pub bytes: u64,
}

impl SegmentId {
    /// Generates the id of a new segment.
    #[must_use]
    pub fn generate() -> Self {
        Self(Uuid::now_v7())
    }
}

impl fmt::Display for SegmentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
