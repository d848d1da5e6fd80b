//! Reading the feed, and waiting until the frontier moves.

use std::sync::Arc;
use std::time::Duration;

use super::cursor::FeedCursor;
use super::query::{FeedEnd, FeedPage, FeedQuery};
use super::signals::FeedSignals;
use crate::ids::{PageSize, ReplicaId};
use crate::store::{FeedRange, FeedRow, Store, WriterSnapshot};
use crate::{Hlc, JournalTiming, ReadError, Scope};

/// Reads the feed of one journal.
pub(crate) struct FeedReader {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) signals: Arc<FeedSignals>,
    pub(crate) replica: ReplicaId,
    pub(crate) timing: JournalTiming,
}

/// Interval between polls while other writers hold the frontier back.
const FRONTIER_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Maximum number of events that a page skips in search of events in scope.
const MAX_SCANNED: u32 = 4096;

impl FeedReader {
    /// Reads a page up to the frontier.
    pub(crate) async fn page(&self, query: &FeedQuery) -> Result<FeedPage, ReadError> {
        let _permit = self.signals.read_permit().await;
        let writers = self.store.writers().await?;
        let (frontier, until) = (writers.frontier(), query.until.unwrap_or(Hlc(i64::MAX)));
        let page = match query.scope {
            Scope::Everything => PageSize(query.limit),
            _ => PageSize(query.limit.max(MAX_SCANNED)),
        };
        let after = query.after.unwrap_or(FeedCursor::BEGINNING);
        let range = FeedRange { after, until: frontier.min(until), scope: &query.scope, page };
        let rows = self.store.past_feed(&range).await?;
        // Read after the page: what was dropped before the page was read is below the horizon now.
        if let Some(complete_after) = self.store.feed_horizon().await?
            && after < complete_after
        {
            return Err(ReadError::CursorTooOld { complete_after });
        }
        let end = match range.is_filled_by(&rows) {
            true => FeedEnd::Full,
            false if writers.newest_event.min(until) <= frontier => FeedEnd::CaughtUp,
            false => FeedEnd::HeldBack,
        };
        Ok(cut(rows, end, query, writers.newest_event))
    }

    /// Waits until there is a final event after the cursor.
    pub(crate) async fn wait(&self, after: Option<FeedCursor>) -> Result<(), ReadError> {
        let after = after.unwrap_or(FeedCursor::BEGINNING);
        let mut new_commits = self.signals.new_commits();
        loop {
            new_commits.mark_unchanged();
            let (writers, found) = self.probe(after).await?;
            if found {
                return Ok(());
            }
            if writers.newest_event > writers.frontier() {
                let interval = self.timing.frontier_request_interval;
                self.signals.request_commits(&writers, self.replica, interval);
                tokio::time::sleep(FRONTIER_POLL_INTERVAL).await;
                continue;
            }
            tokio::select! {
                _ = new_commits.changed() => {}
                () = tokio::time::sleep(self.timing.idle_poll_interval) => {}
            }
            // Commits in quick succession need one read only.
            tokio::time::sleep(self.timing.fast_poll_interval).await;
        }
    }

    /// Returns the last position at which no event can appear any more.
    pub(crate) async fn frontier(&self) -> Result<FeedCursor, ReadError> {
        let _permit = self.signals.read_permit().await;
        Ok(FeedCursor::end_of(self.store.writers().await?.frontier()))
    }

    /// Returns whether there is a final event after the cursor, and the writers that determine the frontier.
    async fn probe(&self, after: FeedCursor) -> Result<(WriterSnapshot, bool), ReadError> {
        let _permit = self.signals.read_permit().await;
        let writers = self.store.writers().await?;
        let (until, page) = (writers.frontier(), PageSize(1));
        let range = FeedRange { after, until, scope: &Scope::Everything, page };
        let found = !self.store.feed(&range).await?.is_empty();
        Ok((writers, found))
    }
}

/// Cuts the rows to the query's limit.
fn cut(rows: Vec<FeedRow>, mut end: FeedEnd, query: &FeedQuery, newest: Hlc) -> FeedPage {
    let (mut next, mut events) = (query.after, Vec::new());
    for row in rows {
        if events.len() == query.limit as usize {
            end = FeedEnd::Full;
            break;
        }
        next = Some(row.cursor);
        events.extend(row.item);
    }
    FeedPage { events, next, newest, end }
}
