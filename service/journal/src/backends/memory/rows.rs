//! The tables, and the checks that a database makes of a row of the directory.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bytes::Bytes;
use event::{ChainHash, Seats};
use uuid::Uuid;

use super::index::Index;
use crate::directory::CreateKey;
use crate::ids::{BatchNumber, WriterId};
use crate::{
    BoundKey, Deadline, DeliveryRow, FeedCursor, Head, Hlc, Labels, LeaseEpoch, MatchId, MatchOutcome,
    MatchRow, MatchStatus, RecordTime, Seq, StoredEvent, WebhookId, WebhookRow,
};

/// The tables by their keys.
#[derive(Clone, Default)]
pub(super) struct Rows {
    /// Leads to the matches of a list.
    pub(super) index: Index,
    pub(super) events: BTreeMap<(MatchId, Seq), StoredEvent>,
    /// The keys of `events` in the feed's order.
    pub(super) feed: BTreeSet<FeedCursor>,
    pub(super) matches: BTreeMap<MatchId, MatchRow>,
    pub(super) creates: HashMap<CreateKey, MatchId>,
    pub(super) labels: BTreeMap<MatchId, Labels>,
    /// The seats to act after each match's newest event.
    pub(super) to_act: BTreeMap<MatchId, Seats>,
    pub(super) deadlines: BTreeMap<MatchId, Deadline>,
    pub(super) last_writer: i64,
    pub(super) commits: BTreeMap<(WriterId, BatchNumber), (Hlc, Bytes)>,
    pub(super) bound: Option<BoundKey>,
    pub(super) webhooks: BTreeMap<WebhookId, HeldWebhook>,
    pub(super) deliveries: BTreeMap<(WebhookId, FeedCursor), DeliveryRow>,
}

/// A webhook with its lease.
#[derive(Clone)]
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

    /// Makes a change of a match's row or labels, and of the index with it.
    pub(super) fn change<T>(&mut self, id: MatchId, change: impl FnOnce(&mut Rows) -> T) -> T {
        if let Some(row) = self.matches.get(&id) {
            self.index.remove(row, self.labels.get(&id));
        }
        let changed = change(self);
        if let Some(row) = self.matches.get(&id) {
            self.index.add(row, self.labels.get(&id));
        }
        changed
    }

    /// Writes a match's row. As in a database, the player of a seat is written once, and a token only
    /// replaces an older one.
    pub(super) fn upsert(&mut self, row: &MatchRow) {
        let mut row = row.clone();
        let stored = self.matches.get(&row.match_id);
        for (seat, stored) in row.seats.iter_mut().zip(stored.iter().flat_map(|stored| &stored.seats)) {
            let Some(stored) = stored else { continue };
            match seat {
                Some(seat) if seat.generation > stored.generation => seat.player = stored.player.clone(),
                seat => *seat = Some(stored.clone()),
            }
        }
        self.change(row.match_id, |rows| rows.matches.insert(row.match_id, row));
    }

    /// Returns a match's newest event.
    pub(super) fn head(&self, id: MatchId) -> Option<Head> {
        let mut of_match = self.events.range((id, Seq(0))..=(id, Seq(u32::MAX)));
        of_match.next_back().map(|(&(_, seq), stored)| Head { seq, hash: stored.event.hash })
    }

    /// Returns the hash of an event.
    pub(super) fn hash(&self, id: MatchId, seq: Seq) -> Option<ChainHash> {
        self.events.get(&(id, seq)).map(|stored| stored.event.hash)
    }
}

/// Returns the column whose check a row violates. The checks are those of the migrations.
pub(super) fn violated_check(row: &MatchRow) -> Option<&'static str> {
    let length = |text: &str| text.chars().count();
    let seats = || row.seats.iter().flatten();
    let players = || seats().filter_map(|seat| seat.player.as_ref());
    if length(&row.registered.owner) > 200 {
        return Some("owner");
    }
    if row.registered.external_id.as_deref().is_some_and(|id| !(1..=128).contains(&length(id))) {
        return Some("external_id");
    }
    if !(1..=64).contains(&length(&row.game)) {
        return Some("game");
    }
    if seats().any(|seat| seat.generation == 0) {
        return Some("generation");
    }
    if players().any(|player| !(1..=40).contains(&length(&player.display_name))) {
        return Some("display_name");
    }
    if players().filter_map(|player| player.player_id.as_deref()).any(|id| !(1..=64).contains(&length(id))) {
        return Some("player_id");
    }
    if row.reason.as_deref().is_some_and(|reason| !(1..=64).contains(&length(reason))) {
        return Some("reason");
    }
    if !row.ranks.is_empty() && row.ranks.len() != row.seats.len() {
        return Some("ranks");
    }
    let is_ranked = matches!(row.outcome, Some(MatchOutcome::Win | MatchOutcome::Draw));
    if is_ranked == row.ranks.is_empty() {
        return Some("outcome");
    }
    if (row.status == MatchStatus::Over) != row.end_time.is_some() {
        return Some("end_time");
    }
    None
}
