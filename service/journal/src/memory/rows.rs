//! The tables, and the checks that a database makes of a row of the directory.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bytes::Bytes;

use crate::{Clock, Deadline, FeedCursor, Lane, LaneNo, MatchId, MatchRow, MatchStatus, Seq, StoredEvent};

/// The tables with their keys.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) events: BTreeMap<(MatchId, Seq), StoredEvent>,
    /// The keys of `events` in the order of the feed.
    pub(super) feed: BTreeSet<FeedCursor>,
    pub(super) matches: BTreeMap<MatchId, MatchRow>,
    pub(super) creates: HashMap<(String, [u8; 32]), MatchId>,
    pub(super) deadlines: BTreeMap<MatchId, Deadline>,
    pub(super) last_lane: i64,
    pub(super) commits: BTreeMap<(Lane, LaneNo), (Clock, Bytes)>,
    pub(super) fingerprint: Option<[u8; 32]>,
}

impl Rows {
    /// The largest clock of all commits.
    pub(super) fn latest_clock(&self) -> Clock {
        self.commits.values().map(|&(clock, _)| clock).max().unwrap_or_default()
    }

    /// The last event's place in a match.
    pub(super) fn head(&self, id: MatchId) -> Option<Seq> {
        let mut of_match = self.events.range((id, Seq(0))..=(id, Seq(u32::MAX)));
        of_match.next_back().map(|(&(_, seq), _)| seq)
    }
}

/// The rule of the directory that a row breaks: the same as the checks in the migrations.
pub(super) fn broken_rule(row: &MatchRow) -> Option<&'static str> {
    let length = |text: &str| text.chars().count();
    let names = row.seats.iter().filter_map(|seat| seat.player_name.as_deref());
    if length(&row.owner) > 200 {
        return Some("owner");
    }
    if !(1..=64).contains(&length(&row.game)) {
        return Some("game");
    }
    if names.map(length).any(|n| !(1..=40).contains(&n)) {
        return Some("player name");
    }
    if row.reason.as_deref().is_some_and(|reason| !(1..=64).contains(&length(reason))) {
        return Some("reason");
    }
    if row.winner.is_some_and(|winner| winner > 1) {
        return Some("winner");
    }
    if (row.status == MatchStatus::Over) != row.ended_time.is_some() {
        return Some("ended_time");
    }
    None
}
