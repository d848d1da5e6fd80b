//! What earlier runs left: segments that were never relied on, and segments of another history.

use std::collections::HashSet;

use journal::SegmentState;

use super::{ArchiveRun, RunError};
use crate::SegmentId;

/// What was found at the start of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// Segments of interrupted runs. They were deleted; their matches are in the database.
    pub discarded: Vec<SegmentId>,
    /// Segments in the archive of which the database knows nothing: of another database, or of runs that a
    /// restored backup does not remember. They are left alone.
    pub unknown: Vec<SegmentId>,
    /// Segments that the database relies on and the archive lacks.
    pub missing: Vec<SegmentId>,
}

impl ArchiveRun {
    /// Discards the segments of interrupted runs and compares the archive with the database.
    pub(super) async fn settle(&mut self) -> Result<Settled, RunError> {
        let mut settled = Settled::default();
        let mut known = HashSet::new();
        for row in self.database.segments().await? {
            let id = SegmentId(row.segment);
            // The database first: once it has forgotten the segment, nothing of it can be dropped.
            if row.state == SegmentState::Writing && self.database.discard_segment(row.segment).await? {
                self.archive.delete(id).await?;
                settled.discarded.push(id);
            } else {
                known.insert(id);
            }
        }
        let stored: HashSet<SegmentId> = self.archive.list().await?.into_iter().collect();
        settled.unknown = stored.difference(&known).copied().collect();
        settled.missing = known.difference(&stored).copied().collect();
        settled.unknown.sort_unstable();
        settled.missing.sort_unstable();
        Ok(settled)
    }

    /// Compares the archive with the database without changing anything.
    pub async fn inspect(&mut self) -> Result<Settled, RunError> {
        let mut found = Settled::default();
        let stored: HashSet<SegmentId> = self.archive.list().await?.into_iter().collect();
        let mut known = HashSet::new();
        for row in self.database.segments().await? {
            let id = SegmentId(row.segment);
            known.insert(id);
            match row.state {
                SegmentState::Writing => found.discarded.push(id),
                SegmentState::Archived { .. } if !stored.contains(&id) => found.missing.push(id),
                SegmentState::Archived { .. } => {}
            }
        }
        found.unknown = stored.difference(&known).copied().collect();
        found.unknown.sort_unstable();
        Ok(found)
    }
}
