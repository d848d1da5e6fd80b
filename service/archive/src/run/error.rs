//! Why a run of the archiver ends early.

use journal::{DropError, ReadError};

use crate::{ArchiveError, SegmentError, SegmentId};

/// Why a run of the archiver ends early. Segments that it has reported as dropped are archived; everything
/// else is still in the database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// The database can't be read.
    #[error(transparent)]
    Database(#[from] ReadError),
    /// The archive can't be used.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A segment could not be made.
    #[error("a segment can't be written: {0}")]
    Segment(#[from] SegmentError),
    /// A segment that was read back is not what was written.
    #[error("segment {segment} was written, but what the archive returns differs: {what}")]
    NotReadBack {
        /// The segment.
        segment: SegmentId,
        /// The difference.
        what: String,
    },
    /// The matches of a segment were not dropped.
    #[error(transparent)]
    Drop(#[from] DropError),
    /// The caller ended the run.
    #[error("interrupted; run the command again to go on")]
    Interrupted,
}
