//! Listing the directory: a filter is split into ranges that a store reads from one index each, and the
//! ranges are merged in the directory's order.

use std::cmp::Reverse;

use uuid::Uuid;

use crate::ids::PageSize;
use crate::store::{MatchRange, Store};
use crate::{MatchFilter, MatchId, MatchRow, ReadError, RecordTime, Scope, Visibility};

/// Returns a page of the matches that pass the filter, newest first.
pub(crate) async fn list(store: &dyn Store, filter: &MatchFilter) -> Result<Vec<MatchRow>, ReadError> {
    let Some(end) = end(store, filter).await? else { return Ok(Vec::new()) };
    let mut rows = Vec::new();
    for range in ranges(filter, end) {
        rows.extend(store.list_matches(&range).await?);
    }
    rows.sort_unstable_by_key(|row| Reverse(row.sort_key()));
    // Ranges overlap: a match may be both public and the owner's.
    rows.dedup_by_key(|row| row.match_id);
    rows.truncate(filter.limit as usize);
    Ok(rows)
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
    let scopes = match &filter.scope {
        Scope::Everything => vec![(None, None)],
        Scope::Public => vec![(Some(Visibility::Public), None)],
        Scope::OwnedBy(owner) => vec![(None, Some(owner.clone()))],
        Scope::PublicOrOwnedBy(owner) => {
            vec![(Some(Visibility::Public), None), (None, Some(owner.clone()))]
        }
    };
    // A player's id means nothing without the owner that gave it.
    let scopes = scopes.into_iter().filter(|(_, owner)| filter.player_id.is_none() || owner.is_some());
    scopes
        .map(|(visibility, owner)| MatchRange {
            visibility,
            owner,
            display_name: filter.display_name.clone(),
            player_id: filter.player_id.clone(),
            game: filter.game.clone(),
            status: filter.status,
            since: filter.created_since.unwrap_or(RecordTime(i64::MIN)),
            end,
            page: PageSize(filter.limit),
        })
        .collect()
}
