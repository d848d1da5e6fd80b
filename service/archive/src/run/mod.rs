//! Moving finished matches from a database to an archive: each segment is written, read back and compared,
//! and only then are its matches dropped. A run that is interrupted at any point can be started again.

mod collect;
mod error;
mod settle;
mod write;

use std::ops::ControlFlow;
use std::sync::Arc;

use audit::Signer;
use event::{MatchId, RecordTime};
use journal::{ArchiverHandle, StoredEvent};

use crate::{Archive, ArchiveKey, SegmentId, SegmentSummary};

pub use collect::MAX_SEGMENT_WEIGHT;
pub use error::RunError;
pub use settle::Settled;

/// Checks a finished match's log. Returns what is wrong with it.
pub type LogVerifier = Arc<dyn Fn(MatchId, &[StoredEvent]) -> Result<(), String> + Send + Sync>;

/// A run of the archiver.
pub struct ArchiveRun {
    /// The database.
    pub database: ArchiverHandle,
    /// The archive.
    pub archive: Archive,
    /// The key that wraps the segments' keys.
    pub key: ArchiveKey,
    /// The key that signs segments.
    pub signer: Signer,
    /// Matches that ended before this time are archived.
    pub before: RecordTime,
    /// Weight of its matches at which a segment is full, in bytes. They are held in memory until it is
    /// written.
    pub max_weight: usize,
    /// Checks each match before it is archived.
    pub verify: LogVerifier,
}

/// What happened, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunStep {
    /// What earlier runs left was put in order.
    Settled(Settled),
    /// A match stays in the database, because its log does not verify.
    Kept {
        /// The match.
        match_id: MatchId,
        /// What is wrong with its log.
        what: String,
    },
    /// A match stays in the database until webhooks have its events.
    Awaited(MatchId),
    /// This many more matches were read and verified.
    Verified(u64),
    /// The database knows of a segment that will be written.
    Announced(SegmentId),
    /// A segment is durable in the archive.
    Written(SegmentId),
    /// A segment was read back and is what was written.
    ReadBack(SegmentId),
    /// The database has dropped the matches of a segment.
    Dropped(SegmentId, SegmentSummary),
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunSummary {
    /// Segments written.
    pub segments: u64,
    /// Matches archived.
    pub matches: u64,
    /// Their events.
    pub events: u64,
    /// Size of the segments in bytes.
    pub bytes: u64,
    /// Matches that stay because webhooks may still need their events.
    pub awaited: u64,
    /// Matches that stay because their logs do not verify.
    pub kept: u64,
}

impl ArchiveRun {
    /// Archives all matches that it may, and reports each step. Stops before the next step if `report`
    /// breaks, and leaves things as a killed process would.
    pub async fn run(
        &mut self,
        report: &mut (dyn FnMut(RunStep) -> ControlFlow<()> + Send),
    ) -> Result<RunSummary, RunError> {
        let mut summary = RunSummary::default();
        let settled = self.settle().await?;
        tell(report, RunStep::Settled(settled))?;
        let mut last = None;
        while let Some(collected) = self.collect(&mut last, &mut summary, report).await? {
            let (id, written) = self.write(collected, report).await?;
            summary.segments += 1;
            summary.matches += written.matches;
            summary.events += written.events;
            summary.bytes += written.bytes;
            tell(report, RunStep::Dropped(id, written))?;
        }
        Ok(summary)
    }

    /// Counts the matches that a run would look at. Changes nothing.
    pub async fn count(&mut self) -> Result<u64, RunError> {
        Ok(self.database.count_finished(self.before).await?)
    }
}

/// Reports a step, and ends the run if that is wanted.
fn tell(report: &mut (dyn FnMut(RunStep) -> ControlFlow<()> + Send), step: RunStep) -> Result<(), RunError> {
    match report(step) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(RunError::Interrupted),
    }
}
