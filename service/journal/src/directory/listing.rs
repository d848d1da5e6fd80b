//! Listing the directory: a filter is split into ranges that a store reads from one index each, and the
//! ranges are merged in the directory's order.

use std::cmp::Reverse;

use uuid::Uuid;

use super::filter::{MatchFilter, MatchPage, Scope};
use crate::ids::PageSize;
use crate::store::{IndexPrefix, MatchRange, Store, Walk};
use crate::{MatchId, MatchStatus, ReadError, RecordTime, Visibility};

/// Returns a page of the matches that pass the filter, newest first.
pub(crate) async fn list(store: &dyn Store, filter: &MatchFilter) -> Result<MatchPage, ReadError> {
    let Some(end) = end(store, filter).await? else { return Ok(MatchPage::default()) };
    let (mut rows, mut last_candidate) = (Vec::new(), None);
    for range in ranges(filter, end) {
        let range = with_walk(store, range).await?;
        rows.extend(store.list_matches(&range).await?);
        // Below the newest of the ranges' ends the page is incomplete.
        last_candidate = last_candidate.max(range.last_candidate);
    }
    rows.retain(|row| last_candidate.is_none_or(|last| row.sort_key() >= last));
    rows.sort_unstable_by_key(|row| Reverse(row.sort_key()));
    // Ranges overlap: a match may be both public and the owner's.
    rows.dedup_by_key(|row| row.match_id);
    let limit = filter.limit as usize;
    let next = match rows.len() > limit {
        true => rows.get(limit.saturating_sub(1)).map(|row| row.match_id),
        false => last_candidate.map(|(_, id)| id),
    };
    rows.truncate(limit);
    Ok(MatchPage { rows, next })
}

/// Chooses the walk of a range: the one whose candidates reach back furthest in one call.
async fn with_walk(store: &dyn Store, range: MatchRange) -> Result<MatchRange, ReadError> {
    let mut best = None;
    for walk in range.walks() {
        let last = match range.has_more_conditions(&walk) {
            true => store.last_candidate(&range, &walk).await?,
            false => None,
        };
        if best.as_ref().is_none_or(|(_, furthest)| last < *furthest) {
            best = Some((walk, last));
        }
        if last.is_none() {
            break;
        }
    }
    let (walk, last_candidate) = best.unwrap_or((Walk::All, None));
    Ok(MatchRange { walk, last_candidate, ..range })
}

/// Returns the exclusive end of the page: the last match of the previous page, or `created_before`. Returns
/// `None` if that last match does not exist.
async fn end(store: &dyn Store, filter: &MatchFilter) -> Result<Option<(RecordTime, MatchId)>, ReadError> {
    let until = filter.created_before.unwrap_or(RecordTime(i64::MAX));
    let until = (until, MatchId(Uuid::nil()));
    let Some(last) = filter.before else { return Ok(Some(until)) };
    Ok(store.match_row(last).await?.map(|row| row.sort_key().min(until)))
}

fn ranges(filter: &MatchFilter, end: (RecordTime, MatchId)) -> Vec<MatchRange> {
    let public = IndexPrefix::Visibility(Visibility::Public);
    let prefixes = match &filter.scope {
        Scope::Everything => Visibility::ALL.map(IndexPrefix::Visibility).to_vec(),
        Scope::Public => vec![public],
        Scope::OwnedBy(owner) => vec![IndexPrefix::Owner(owner.clone())],
        Scope::PublicOrOwnedBy(owner) => vec![public, IndexPrefix::Owner(owner.clone())],
    };
    let may_pass = |prefix: &IndexPrefix| matches!(prefix, IndexPrefix::Owner(_)) || !filter.is_of_owner();
    prefixes
        .into_iter()
        .filter(may_pass)
        .map(|prefix| MatchRange {
            prefix,
            display_name: filter.display_name.clone(),
            player_id: filter.player_id.clone(),
            labels: filter.labels.clone(),
            external_id: filter.external_id.clone(),
            to_act: filter.to_act,
            game: filter.game.clone(),
            status: filter.status.or(filter.to_act.map(|_| MatchStatus::Running)),
            since: filter.created_since.unwrap_or(RecordTime(i64::MIN)),
            end,
            // One more shows whether there is another page.
            page: PageSize(filter.limit.saturating_add(1)),
            walk: Walk::All,
            last_candidate: None,
        })
        .collect()
}
