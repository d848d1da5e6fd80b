//! The ranges that the directory and the feed read from a store, and what they get.

use crate::ids::{PageSize, ReplicaId};
use crate::{FeedCursor, FeedItem, Hlc, MatchId, MatchRow, MatchStatus, RecordTime, Scope, Visibility};

/// A range of the directory that a store reads from one index. All given conditions must hold.
#[derive(Clone, Debug)]
pub(crate) struct MatchRange {
    pub(crate) visibility: Option<Visibility>,
    pub(crate) owner: Option<String>,
    /// Given both, the same player has name and id.
    pub(crate) display_name: Option<String>,
    /// Only given together with `owner`.
    pub(crate) player_id: Option<String>,
    pub(crate) game: Option<String>,
    pub(crate) status: Option<MatchStatus>,
    pub(crate) since: RecordTime,
    /// The exclusive end of the range in the directory's order.
    pub(crate) end: (RecordTime, MatchId),
    pub(crate) page: PageSize,
}

impl MatchRow {
    /// Returns the match's sort key in the directory. It never changes.
    pub(crate) fn sort_key(&self) -> (RecordTime, MatchId) {
        (self.create_time, self.match_id)
    }
}

/// A range of the feed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FeedRange<'a> {
    pub(crate) after: FeedCursor,
    /// The inclusive end.
    pub(crate) until: Hlc,
    pub(crate) scope: &'a Scope,
    pub(crate) page: PageSize,
}

/// Bytes of public parts after which a page of the feed ends. One event may be larger.
pub(crate) const FEED_PAGE_BYTES: usize = 32 << 10;

impl FeedRange<'_> {
    /// Returns whether these rows fill the page, so that there may be more.
    pub(crate) fn is_filled_by(&self, rows: &[FeedRow]) -> bool {
        let bytes: usize = rows.iter().map(FeedRow::bytes).sum();
        rows.len() >= self.page.0 as usize || bytes >= FEED_PAGE_BYTES
    }
}

impl FeedRow {
    /// Returns how much of a page the row takes.
    pub(crate) fn bytes(&self) -> usize {
        self.item.as_ref().map_or(0, |item| item.event.public.len())
    }
}

/// A position in the feed, with its item if that is in scope.
#[derive(Clone, Debug)]
pub(crate) struct FeedRow {
    pub(crate) cursor: FeedCursor,
    pub(crate) item: Option<FeedItem>,
}

/// The open writers and the newest hlcs, read in one snapshot.
#[derive(Clone, Debug, Default)]
pub(crate) struct WriterSnapshot {
    /// Each open writer's replica and the `Hlc` of its last commit.
    pub(crate) open: Vec<(ReplicaId, Hlc)>,
    /// The largest `Hlc` of all commits.
    pub(crate) newest_commit: Hlc,
    /// The largest `Hlc` of all events.
    pub(crate) newest_event: Hlc,
}

impl WriterSnapshot {
    /// Returns the feed's frontier: at and below this `Hlc` no event can appear any more.
    pub(crate) fn frontier(&self) -> Hlc {
        self.open.iter().map(|&(_, hlc)| hlc).min().unwrap_or(self.newest_commit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frontier_is_the_slowest_open_writers_or_the_newest_commit() {
        let writer = |hlc| (ReplicaId::generate(), Hlc(hlc));
        let snapshot = |open| WriterSnapshot { open, newest_commit: Hlc(9), newest_event: Hlc(8) };
        assert_eq!(snapshot(vec![writer(7), writer(3), writer(9)]).frontier(), Hlc(3));
        assert_eq!(snapshot(Vec::new()).frontier(), Hlc(9));
    }
}
