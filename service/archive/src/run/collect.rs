//! Collecting the matches of the next segment.

use std::ops::ControlFlow;
use std::sync::Arc;

use event::MatchId;
use journal::{DroppedMatch, FeedNeeds, PageSize, StoredEvent};
use tokio::task::JoinHandle;

use super::{ArchiveRun, RunError, RunStep, RunSummary, tell};
use crate::{ArchivedMatch, MAX_SEGMENT_MATCHES};

/// Matches read at a time.
const PAGE: PageSize = PageSize(100);

/// Weight of its matches at which a segment is full, in bytes. They are held in memory until it is written.
const MAX_WEIGHT: usize = 256 << 20;

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
        while !collected.is_full() {
            let ids = self.database.finished(self.before, *last, PAGE).await?;
            let Some(newest) = ids.last() else { break };
            *last = Some(*newest);
            // Before the logs: a webhook only ever moves on.
            let needs = self.database.needs().await?;
            let checks: Vec<_> =
                self.database.logs(&ids).await?.into_iter().map(|log| self.check(log)).collect();
            for (id, check) in ids.into_iter().zip(checks) {
                match check.await.expect("a check that panics is caught") {
                    Ok((archived, dropped)) => {
                        if collected.add(archived, dropped, needs) {
                            tell(report, RunStep::Verified(1))?;
                        } else {
                            summary.awaited += 1;
                            tell(report, RunStep::Awaited(id))?;
                        }
                    }
                    Err(what) => {
                        summary.kept += 1;
                        tell(report, RunStep::Kept { match_id: id, what })?;
                    }
                }
            }
        }
        Ok((!collected.matches.is_empty()).then_some(collected))
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
    fn is_full(&self) -> bool {
        self.matches.len() >= MAX_SEGMENT_MATCHES || self.weight >= MAX_WEIGHT
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
