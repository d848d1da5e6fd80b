//! Why a segment cannot be written or read.

use event::{MatchId, Seq};

use crate::SegmentId;

/// Why bytes are not a segment of this service, or do not hold what they should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SegmentError {
    /// The bytes do not start and end like a segment.
    #[error("it is not a segment, or its end is missing")]
    NotASegment,
    /// The signed note is malformed.
    #[error("its signed note is malformed")]
    BadNote,
    /// None of the service's keys signed the segment.
    #[error("it was not signed by a key of this service")]
    NotSigned,
    /// The segment is another one than expected.
    #[error("it is segment {found}, not {expected}")]
    OtherSegment {
        /// The segment that was expected.
        expected: SegmentId,
        /// The segment that the note names.
        found: SegmentId,
    },
    /// The segment's key was wrapped with a service key that is not at hand.
    #[error("it was encrypted under another service key")]
    OtherKey,
    /// A part has other bytes than the signed index or note says.
    #[error("its {part} is damaged")]
    Damaged {
        /// The part: `index`, `block` or `match`.
        part: &'static str,
    },
    /// The segment does not have the match.
    #[error("it does not hold match {0}")]
    NoSuchMatch(MatchId),
    /// A match's events are no chain, so it must not be archived.
    #[error("event {seq} of match {match_id} does not continue the match's chain")]
    BrokenChain {
        /// The match.
        match_id: MatchId,
        /// Its first event that does not fit.
        seq: Seq,
    },
    /// The match is in the segment already.
    #[error("match {0} is in the segment already")]
    DuplicateMatch(MatchId),
}

/// Why the archive cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// The store cannot be reached or refuses.
    #[error("the archive {url} cannot be used: {what}")]
    Store {
        /// The archive, without secrets.
        url: String,
        /// The store's message.
        what: String,
    },
    /// The archive has no such segment.
    #[error("the archive {url} has no segment {segment}")]
    Missing {
        /// The archive.
        url: String,
        /// The segment.
        segment: SegmentId,
    },
    /// A segment is wrong.
    #[error("segment {segment}: {error}")]
    Segment {
        /// The segment.
        segment: SegmentId,
        /// What is wrong with it.
        error: SegmentError,
    },
}
