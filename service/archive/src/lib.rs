//! The archive: finished matches as segments in an object store. A segment holds the logs of many matches,
//! compressed, encrypted and signed. `run` moves matches there from a database; `reader` reads them back.
//! What a log means is not known here. `docs/archive.md` specifies the format.

mod archived_match;
mod block;
mod cipher;
mod columns;
mod error;
mod index;
mod location;
mod note;
mod reader;
mod run;
mod segment;

pub use archived_match::ArchivedMatch;
pub use cipher::ArchiveKey;
pub use error::{ArchiveError, SegmentError};
pub use location::{Archive, ArchiveUrl, BadArchiveUrl};
pub use reader::{ArchiveReader, ArchiveTrust, CacheBytes};
pub use run::{ArchiveRun, LogVerifier, MAX_SEGMENT_WEIGHT, RunError, RunStep, RunSummary, Settled};
pub use segment::{
    MAX_SEGMENT_MATCHES, OpenSegment, SegmentId, SegmentSummary, SegmentWriter, WrittenSegment,
};
