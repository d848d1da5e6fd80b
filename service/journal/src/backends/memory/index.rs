//! The index of the directory in memory: for each walk its matches, in the directory's order.

use std::collections::{BTreeSet, HashMap};

use uuid::Uuid;

use crate::store::{IndexPrefix, MatchRange, Walk};
use crate::{Labels, MatchId, MatchRow, RecordTime};

/// The matches of each walk, by creation time and id.
#[derive(Clone, Default)]
pub(super) struct Index(HashMap<(IndexPrefix, Walk), BTreeSet<(RecordTime, MatchId)>>);

impl Index {
    pub(super) fn add(&mut self, row: &MatchRow, labels: Option<&Labels>) {
        for walk in walks_to(row, labels) {
            self.0.entry(walk).or_default().insert(row.sort_key());
        }
    }

    pub(super) fn remove(&mut self, row: &MatchRow, labels: Option<&Labels>) {
        for walk in walks_to(row, labels) {
            let Some(matches) = self.0.get_mut(&walk) else { continue };
            matches.remove(&row.sort_key());
            if matches.is_empty() {
                self.0.remove(&walk);
            }
        }
    }

    /// Returns the candidates of a walk that are in a range, newest first.
    pub(super) fn newest_first(
        &self,
        range: &MatchRange,
        walk: &Walk,
    ) -> impl Iterator<Item = (RecordTime, MatchId)> {
        let since = (range.since, MatchId(Uuid::nil()));
        let from = range.last_candidate.map_or(since, |last| last.max(since));
        let matches = self.0.get(&(range.prefix.clone(), walk.clone()));
        // A range that ends before it begins has none.
        let matches = matches.filter(|_| from < range.end);
        matches.into_iter().flat_map(move |matches| matches.range(from..range.end).rev()).copied()
    }
}

/// Returns the walks that lead to a match.
fn walks_to(row: &MatchRow, labels: Option<&Labels>) -> Vec<(IndexPrefix, Walk)> {
    let players = || row.seats.iter().flatten().filter_map(|seat| seat.player.as_ref());
    let names = || players().map(|player| Walk::DisplayName(player.display_name.clone()));
    let of_all = || [Walk::All, Walk::Status(row.status)].into_iter().chain(names());
    let ids = players().filter_map(|player| player.player_id.clone()).map(Walk::PlayerId);
    let labels = labels.into_iter().flat_map(|labels| &labels.0);
    let labels = labels.map(|(key, value)| Walk::Label(key.clone(), value.clone()));
    let external_id = row.registered.external_id.clone().map(Walk::ExternalId);
    let of_owner = of_all().chain(ids).chain(labels).chain(external_id);
    let of_visibility = of_all().chain([Walk::Game(row.game.clone())]);
    let owner = IndexPrefix::Owner(row.registered.owner.clone());
    let visibility = IndexPrefix::Visibility(row.visibility);
    of_owner
        .map(|walk| (owner.clone(), walk))
        .chain(of_visibility.map(|walk| (visibility.clone(), walk)))
        .collect()
}
