//! The archive as the database knows it: which matches' logs were moved to which segment. Writing and reading
//! segments is up to the caller; `docs/archive.md` has the whole.

mod archived_logs;
mod archiver;
mod place;

pub use archived_logs::ArchivedLogs;
pub(crate) use archived_logs::{events, head};
pub(crate) use archiver::ArchiverStore;
pub use archiver::{ArchiverHandle, DropError, DroppedMatch, DroppedSegment};
pub use place::{ArchivedPlace, FeedNeeds, SegmentRow, SegmentState};
