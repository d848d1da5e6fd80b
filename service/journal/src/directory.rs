//! Listing the directory: a filter taken apart into ranges that a store reads from one index each, and the ranges put
//! together again in the directory's order.

use std::cmp::Reverse;

use uuid::Uuid;

use crate::store::Store;
use crate::{MatchFilter, MatchId, MatchRow, MatchStatus, ReadError, RecordedTime, Scope, Visibility};

/// What a store looks for: everything that is given must be so. Newest first.
#[derive(Clone, Debug)]
pub(crate) struct MatchRange {
    pub(crate) visibility: Option<Visibility>,
    pub(crate) owner: Option<String>,
    /// A name for one seat at most.
    pub(crate) players: [Option<String>; 2],
    pub(crate) game: Option<String>,
    pub(crate) status: Option<MatchStatus>,
    pub(crate) since: RecordedTime,
    /// The place in the directory's order before which the range ends.
    pub(crate) end: (RecordedTime, MatchId),
    pub(crate) limit: u32,
}

/// Reads the lines that fit, newest first.
pub(crate) async fn list(store: &dyn Store, filter: &MatchFilter) -> Result<Vec<MatchRow>, ReadError> {
    let Some(end) = end(store, filter).await? else { return Ok(Vec::new()) };
    let mut rows = Vec::new();
    for range in ranges(filter, end) {
        rows.extend(store.list_matches(&range).await?);
    }
    rows.sort_unstable_by_key(|row| Reverse(place(row)));
    // A match that fits twice, its owner's and public, say.
    rows.dedup_by_key(|row| row.match_id);
    rows.truncate(filter.limit as usize);
    Ok(rows)
}

/// A match's place in the directory's order; it never changes.
pub(crate) fn place(row: &MatchRow) -> (RecordedTime, MatchId) {
    (row.created_time, row.match_id)
}

/// Where the page ends: before the last match of the page before, and before `created_before`. None if there is no such
/// last match.
async fn end(store: &dyn Store, filter: &MatchFilter) -> Result<Option<(RecordedTime, MatchId)>, ReadError> {
    let until = filter.created_before.unwrap_or(RecordedTime(i64::MAX));
    let until = (until, MatchId(Uuid::nil()));
    let Some(last) = filter.before else { return Ok(Some(until)) };
    Ok(store.match_row(last).await?.map(|row| place(&row).min(until)))
}

fn ranges(filter: &MatchFilter, end: (RecordedTime, MatchId)) -> Vec<MatchRange> {
    let scopes = match &filter.scope {
        Scope::Everything => vec![(None, None)],
        Scope::Public => vec![(Some(Visibility::Public), None)],
        Scope::OwnedBy(owner) => vec![(None, Some(owner.clone()))],
        Scope::PublicOrOwnedBy(owner) => {
            vec![(Some(Visibility::Public), None), (None, Some(owner.clone()))]
        }
    };
    let seats = match &filter.player {
        None => vec![[None, None]],
        Some(name) => vec![[Some(name.clone()), None], [None, Some(name.clone())]],
    };
    let all = scopes.into_iter().flat_map(|scope| seats.iter().map(move |players| (scope.clone(), players)));
    all.map(|((visibility, owner), players)| MatchRange {
        visibility,
        owner,
        players: players.clone(),
        game: filter.game.clone(),
        status: filter.status,
        since: filter.created_since.unwrap_or(RecordedTime(i64::MIN)),
        end,
        limit: filter.limit,
    })
    .collect()
}
