//! The tables, and the checks that a database makes of a row of the directory.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bytes::Bytes;
use uuid::Uuid;

use crate::ids::{BatchNumber, WriterId};
use crate::{
    Deadline, DeliveryRow, FeedCursor, Hlc, LeaseEpoch, MatchId, MatchRow, MatchStatus, RecordTime, Seq,
    StoredEvent, WebhookId, WebhookRow,
};

/// The tables by their keys.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) events: BTreeMap<(MatchId, Seq), StoredEvent>,
    /// The keys of `events` in the feed's order.
    pub(super) feed: BTreeSet<FeedCursor>,
    pub(super) matches: BTreeMap<MatchId, MatchRow>,
    pub(super) creates: HashMap<(String, [u8; 32]), MatchId>,
    pub(super) deadlines: BTreeMap<MatchId, Deadline>,
    pub(super) last_writer: i64,
    pub(super) commits: BTreeMap<(WriterId, BatchNumber), (Hlc, Bytes)>,
    pub(super) fingerprint: Option<[u8; 32]>,
    pub(super) webhooks: BTreeMap<WebhookId, HeldWebhook>,
    pub(super) deliveries: BTreeMap<(WebhookId, FeedCursor), DeliveryRow>,
}

/// A webhook with its lease.
pub(super) struct HeldWebhook {
    pub(super) row: WebhookRow,
    pub(super) holder: Option<Uuid>,
    pub(super) epoch: LeaseEpoch,
    pub(super) until: RecordTime,
}

impl Rows {
    /// Returns the largest `Hlc` of all commits.
    pub(super) fn max_hlc(&self) -> Hlc {
        self.commits.values().map(|&(hlc, _)| hlc).max().unwrap_or_default()
    }

    /// Returns the seq of a match's last event.
    pub(super) fn head(&self, id: MatchId) -> Option<Seq> {
        let mut of_match = self.events.range((id, Seq(0))..=(id, Seq(u32::MAX)));
        of_match.next_back().map(|(&(_, seq), _)| seq)
    }
}

/// Returns the column whose check a row violates. The checks are those of the migrations.
pub(super) fn violated_check(row: &MatchRow) -> Option<&'static str> {
    let length = |text: &str| text.chars().count();
    let names = row.seats.iter().filter_map(|seat| seat.player_name.as_deref());
    if length(&row.registered.owner) > 200 {
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
    if (row.status == MatchStatus::Over) != row.end_time.is_some() {
        return Some("end_time");
    }
    None
}
