//! Collecting the matches of the next segment.

use std::ops::ControlFlow;
use std::sync::Arc;

use event::MatchId;
use journal::{DroppedMatch, FeedNeeds, PageSize, StoredEvent};
use tokio::task::JoinHandle;

use super::{ArchiveRun, RunError, RunStep, RunSummary, tell};
use crate::{ArchivedMatch, MAX_SEGMENT_MATCHES};

/// Matches looked for at a time.
const PAGE: PageSize = PageSize(100);

/// Logs read at a time. Players decide how long these are, and nothing tells it before they are read.
const LOGS: usize = 4;

/// Weight of its matches at which a segment is full, in bytes, for the program's own runs.
pub const MAX_SEGMENT_WEIGHT: usize = 256 << 20;

/// The matches of a segment to be written.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) matches: Vec<ArchivedMatch>,
    pub(super) dropped: Vec<DroppedMatch>,
    weight: usize,
}

/// The result of checking a match: what to archive, or what is wrong with it.
type Checked = Result<(ArchivedMatch, DroppedMatch), String>;

impl ArchiveRun {
    /// Collects matches after `last` until a segment is full. Returns `None` if there are no more.
    pub(super) async fn collect(
        &mut self,
        last: &mut Option<MatchId>,
        summary: &mut RunSummary,
        report: &mut (dyn FnMut(RunStep) -> ControlFlow<()> + Send),
    ) -> Result<Option<Collected>, RunError> {
        let mut collected = Collected::default();
        'pages: loop {
            let page = self.database.finished(self.before, *last, PAGE).await?;
            if page.is_empty() {
                break;
            }
            // Before the logs: a webhook only ever moves on.
            let needs = self.database.needs().await?;
            for ids in page.chunks(LOGS) {
                self.collect_few(ids, needs, &mut collected, summary, report).await?;
                *last = ids.last().copied();
                if collected.is_full(self.max_weight) {
                    break 'pages;
                }
            }
        }
        Ok((!collected.matches.is_empty()).then_some(collected))
    }

    /// Reads and checks these matches, beside each other.
    async fn collect_few(
        &mut self,
        ids: &[MatchId],
        needs: FeedNeeds,
        collected: &mut Collected,
        summary: &mut RunSummary,
        report: &mut (dyn FnMut(RunStep) -> ControlFlow<()> + Send),
    ) -> Result<(), RunError> {
        let checks: Vec<_> = self.database.logs(ids).await?.into_iter().map(|log| self.check(log)).collect();
        for (id, check) in ids.iter().zip(checks) {
            match check.await.expect("a check that panics is caught") {
                Ok((archived, dropped)) => {
                    if collected.add(archived, dropped, needs) {
                        tell(report, RunStep::Verified(1))?;
                    } else {
                        summary.awaited += 1;
                        tell(report, RunStep::Awaited(*id))?;
                    }
                }
                Err(what) => {
                    summary.kept += 1;
                    tell(report, RunStep::Kept { match_id: *id, what })?;
                }
            }
        }
        Ok(())
    }

    /// Checks a match beside others.
    fn check(&self, (id, log): (MatchId, Vec<StoredEvent>)) -> JoinHandle<Checked> {
        let verify = Arc::clone(&self.verify);
        tokio::task::spawn_blocking(move || {
            verify(id, &log)?;
            let dropped = DroppedMatch::of_log(id, &log).ok_or("it has no events")?;
            let archived = ArchivedMatch::new(id, log).map_err(|error| error.to_string())?;
            Ok((archived, dropped))
        })
    }
}

impl Collected {
    fn is_full(&self, max_weight: usize) -> bool {
        self.matches.len() >= MAX_SEGMENT_MATCHES || self.weight >= max_weight
    }

    /// Adds a match, unless a webhook needs its events. Returns whether it was added.
    fn add(&mut self, archived: ArchivedMatch, dropped: DroppedMatch, needs: FeedNeeds) -> bool {
        let free = needs.release(dropped.cursor);
        if free {
            self.weight += archived.weight();
            self.matches.push(archived);
            self.dropped.push(dropped);
        }
        free
    }
}
