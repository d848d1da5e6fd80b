//! The ranges that the directory and the feed read from a store, and what they get.

use crate::ids::{PageSize, ReplicaId};
use crate::{
    FeedCursor, FeedItem, Hlc, Labels, MatchId, MatchRow, MatchStatus, RecordTime, Scope, ToAct, Visibility,
};

/// A range of the directory that a store reads from one index. All given conditions must hold.
#[derive(Clone, Debug)]
pub(crate) struct MatchRange {
    pub(crate) prefix: IndexPrefix,
    /// Given both, the same player has name and id.
    pub(crate) display_name: Option<String>,
    /// These four are only given together with an owner.
    pub(crate) player_id: Option<String>,
    pub(crate) labels: Labels,
    pub(crate) external_id: Option<String>,
    pub(crate) to_act: Option<ToAct>,
    pub(crate) game: Option<String>,
    pub(crate) status: Option<MatchStatus>,
    pub(crate) since: RecordTime,
    /// The exclusive end of the range in the directory's order.
    pub(crate) end: (RecordTime, MatchId),
    pub(crate) page: PageSize,
    /// The index that is walked.
    pub(crate) walk: Walk,
    /// The inclusive beginning of what is walked: the last candidate that one call may look at.
    pub(crate) last_candidate: Option<(RecordTime, MatchId)>,
}

/// The first column of every index that a list reads, with its value. A list therefore reads no entry of a
/// match that its caller may not see, and costs the same however many of those there are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum IndexPrefix {
    Owner(String),
    Visibility(Visibility),
}

/// An index of the matches with one prefix, in the directory's order. Its entries are the candidates among
/// which the matches of a range are found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Walk {
    /// The owner's match with this external id.
    ExternalId(String),
    /// The matches of the owner's player with this id.
    PlayerId(String),
    /// The matches with a player of this name.
    DisplayName(String),
    /// The owner's matches with this label.
    Label(String, String),
    /// The matches of this status.
    Status(MatchStatus),
    /// The matches of this visibility and game.
    Game(String),
    /// All matches with the prefix.
    All,
}

/// How many candidates of a walk one call looks at, at most.
pub(crate) const WALKED: PageSize = PageSize(1000);

impl MatchRange {
    /// Returns the walks that lead to the range's matches, those that probably have the fewest candidates
    /// first.
    pub(crate) fn walks(&self) -> Vec<Walk> {
        if let Some(id) = &self.external_id {
            return vec![Walk::ExternalId(id.clone())];
        }
        let player = self.player_id.iter().cloned().map(Walk::PlayerId);
        let labels = self.labels.0.iter().map(|(key, value)| Walk::Label(key.clone(), value.clone()));
        let name = self.display_name.iter().cloned().map(Walk::DisplayName);
        let status = self.status.map(Walk::Status);
        let game = match self.prefix {
            IndexPrefix::Visibility(_) => self.game.clone().map(Walk::Game),
            IndexPrefix::Owner(_) => None,
        };
        let mut walks: Vec<Walk> = player.chain(labels).chain(name).chain(status).chain(game).collect();
        if walks.is_empty() {
            walks.push(Walk::All);
        }
        walks
    }

    /// Returns whether the range has conditions that the candidates of a walk may not meet.
    pub(crate) fn has_more_conditions(&self, walk: &Walk) -> bool {
        let given = [
            self.player_id.is_some(),
            self.display_name.is_some(),
            self.to_act.is_some(),
            self.game.is_some(),
            self.status.is_some(),
        ];
        let given = given.into_iter().filter(|given| *given).count() + self.labels.0.len();
        let met = match walk {
            // There is one candidate at most: nothing to look at in vain.
            Walk::ExternalId(_) => return false,
            Walk::PlayerId(_) | Walk::DisplayName(_) | Walk::Label(..) | Walk::Status(_) | Walk::Game(_) => 1,
            Walk::All => 0,
        };
        given > met
    }
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
