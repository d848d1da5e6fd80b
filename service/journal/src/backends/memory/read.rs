//! Reading from memory.

use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;

use async_trait::async_trait;

use super::MemoryDatabase;
use super::listing::{last_candidate, list};
use super::rows::Rows;
use crate::database_time::system_time;
use crate::directory::CreateKey;
use crate::store::{
    FEED_PAGE_BYTES, FeedRange, FeedRow, MatchRange, Store, Walk, WriteError, WriterConnection,
    WriterSnapshot,
};
use crate::{
    BoundKey, Deadline, FeedCursor, FeedItem, Head, Hlc, KeyBinding, Labels, MatchId, MatchRow, PageSize,
    ReadError, RebindOutcome, RecordTime, Scope, Seq, ServiceIdentity, Shard, StoredEvent, Visibility,
};

#[async_trait]
impl Store for MemoryDatabase {
    fn system(&self) -> &'static str {
        "memory"
    }

    async fn connect(&self, _shard: Shard) -> Result<Box<dyn WriterConnection>, WriteError> {
        Ok(Box::new(self.clone()))
    }

    async fn events(&self, id: MatchId, after: Seq, page: PageSize) -> Result<Vec<StoredEvent>, ReadError> {
        let rows = self.rows();
        let newer = rows.events.range((id, Seq(after.0.saturating_add(1)))..=(id, Seq(u32::MAX)));
        Ok(newer.take(page.0 as usize).map(|(_, event)| event.clone()).collect())
    }

    async fn head(&self, id: MatchId) -> Result<Option<Head>, ReadError> {
        Ok(self.rows().head(id))
    }

    async fn match_row(&self, id: MatchId) -> Result<Option<MatchRow>, ReadError> {
        Ok(self.rows().matches.get(&id).cloned())
    }

    async fn match_rows(&self, ids: &[MatchId]) -> Result<Vec<MatchRow>, ReadError> {
        let rows = self.rows();
        let ids: BTreeSet<&MatchId> = ids.iter().collect();
        Ok(ids.into_iter().filter_map(|id| rows.matches.get(id)).cloned().collect())
    }

    async fn match_by_create_request(
        &self,
        owner: &str,
        hash: &[u8; 32],
    ) -> Result<Option<MatchRow>, ReadError> {
        let rows = self.rows();
        let id = rows.creates.get(&CreateKey::Request(owner.to_owned(), *hash));
        Ok(id.and_then(|id| rows.matches.get(id)).cloned())
    }

    async fn match_by_external_id(&self, owner: &str, id: &str) -> Result<Option<MatchRow>, ReadError> {
        let rows = self.rows();
        let found = rows.creates.get(&CreateKey::ExternalId(owner.to_owned(), id.to_owned()));
        Ok(found.and_then(|id| rows.matches.get(id)).cloned())
    }

    async fn labels(&self, ids: &[MatchId]) -> Result<HashMap<MatchId, Labels>, ReadError> {
        let rows = self.rows();
        Ok(ids.iter().filter_map(|id| Some((*id, rows.labels.get(id)?.clone()))).collect())
    }

    async fn set_labels(&self, id: MatchId, labels: &Labels) -> Result<(), ReadError> {
        let mut rows = self.rows();
        rows.change(id, |rows| {
            if labels.0.is_empty() {
                rows.labels.remove(&id);
            } else if rows.matches.contains_key(&id) {
                rows.labels.insert(id, labels.clone());
            }
        });
        Ok(())
    }

    async fn list_matches(&self, range: &MatchRange) -> Result<Vec<MatchRow>, ReadError> {
        Ok(list(&self.rows(), range))
    }

    async fn last_candidate(
        &self,
        range: &MatchRange,
        walk: &Walk,
    ) -> Result<Option<(RecordTime, MatchId)>, ReadError> {
        Ok(last_candidate(&self.rows(), range, walk))
    }

    async fn count_matches(&self, game: Option<&str>, since: RecordTime) -> Result<u64, ReadError> {
        let fits = |row: &&MatchRow| game.is_none_or(|game| row.game == game) && row.create_time >= since;
        Ok(self.rows().matches.values().filter(fits).count() as u64)
    }

    async fn writers(&self) -> Result<WriterSnapshot, ReadError> {
        let rows = self.rows();
        let newest_event = rows.feed.last().map(|last| last.hlc).unwrap_or_default();
        // A single writer commits in order, so every commit is final.
        Ok(WriterSnapshot { open: Vec::new(), newest_commit: newest_event, newest_event })
    }

    async fn feed(&self, range: &FeedRange<'_>) -> Result<Vec<FeedRow>, ReadError> {
        let rows = self.rows();
        let newer = rows.feed.range((Bound::Excluded(range.after), Bound::Unbounded));
        let newer = newer.take_while(|cursor| cursor.hlc <= range.until).take(range.page.0 as usize);
        let newer = newer.map(|&cursor| FeedRow { cursor, item: feed_item(&rows, cursor, range.scope) });
        let mut bytes = 0;
        Ok(newer
            .take_while(|row| {
                let fits = bytes < FEED_PAGE_BYTES;
                bytes += row.bytes();
                fits
            })
            .collect())
    }

    async fn due(&self, until: RecordTime, page: PageSize) -> Result<Vec<Deadline>, ReadError> {
        let rows = self.rows();
        let mut due: Vec<Deadline> = rows.deadlines.values().filter(|d| d.due <= until).copied().collect();
        due.sort_by_key(|deadline| (deadline.due, deadline.match_id));
        due.truncate(page.0 as usize);
        Ok(due)
    }

    async fn bind_key(&self, service: &ServiceIdentity) -> Result<(BoundKey, KeyBinding), ReadError> {
        let mut rows = self.rows();
        let binding = if rows.bound.is_some() { KeyBinding::Known } else { KeyBinding::First };
        let first = || BoundKey { service: service.clone(), previous_name: None };
        Ok((rows.bound.get_or_insert_with(first).clone(), binding))
    }

    async fn bound_key(&self) -> Result<Option<BoundKey>, ReadError> {
        Ok(self.rows().bound.clone())
    }

    async fn rebind_key(&self, old: [u8; 32], new: &ServiceIdentity) -> Result<RebindOutcome, ReadError> {
        let mut rows = self.rows();
        let Some(bound) = rows.bound.as_mut().filter(|bound| bound.service.fingerprint == old) else {
            return Ok(RebindOutcome::OtherKey);
        };
        let previous = std::mem::replace(&mut bound.service, new.clone());
        bound.previous_name = Some(previous.name);
        Ok(RebindOutcome::Rebound)
    }

    async fn time(&self) -> Result<RecordTime, ReadError> {
        Ok(system_time())
    }

    async fn prune_commits(&self, before: Hlc, limit: u32) -> Result<u64, ReadError> {
        let mut rows = self.rows();
        let old: Vec<_> = rows
            .commits
            .iter()
            .filter(|&(&(writer, number), &(hlc, _))| {
                hlc < before && rows.commits.contains_key(&(writer, number.next()))
            })
            .map(|(&key, _)| key)
            .take(limit as usize)
            .collect();
        old.iter().for_each(|key| drop(rows.commits.remove(key)));
        Ok(old.len() as u64)
    }

    async fn close(&self) {}
}

/// Returns the event at a cursor, or `None` if its match is out of scope.
fn feed_item(rows: &Rows, cursor: FeedCursor, scope: &Scope) -> Option<FeedItem> {
    let id = cursor.match_id;
    if *scope != Scope::Everything && !in_scope(rows.matches.get(&id)?, scope) {
        return None;
    }
    let event = rows.events.get(&(id, cursor.seq))?.event.redacted();
    Some(FeedItem { cursor, event })
}

fn in_scope(row: &MatchRow, scope: &Scope) -> bool {
    let public = row.visibility == Visibility::Public;
    match scope {
        Scope::Everything => true,
        Scope::Public => public,
        Scope::OwnedBy(owner) => row.registered.owner == *owner,
        Scope::PublicOrOwnedBy(owner) => public || row.registered.owner == *owner,
    }
}
