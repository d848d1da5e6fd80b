//! Reading from memory.

use std::cmp::Reverse;
use std::ops::Bound;

use async_trait::async_trait;

use super::Memory;
use super::rows::Rows;
use crate::directory::{MatchRange, place};
use crate::feed::{FeedRange, FeedRow, LanesSeen};
use crate::store::{self, LaneConnection, Store, WriteError};
use crate::time::system_time;
use crate::{
    Clock, Deadline, FeedCursor, FeedItem, KeyBinding, MatchId, MatchRow, ReadError, RecordedTime, Scope,
    Seq, StoredEvent,
};

#[async_trait]
impl Store for Memory {
    fn system(&self) -> &'static str {
        "memory"
    }

    async fn connect(&self) -> Result<Box<dyn LaneConnection>, WriteError> {
        Ok(Box::new(self.clone()))
    }

    async fn events(&self, id: MatchId, after: Seq, limit: u32) -> Result<Vec<StoredEvent>, ReadError> {
        let rows = self.rows();
        let newer = rows.events.range((id, Seq(after.0.saturating_add(1)))..=(id, Seq(u32::MAX)));
        Ok(newer.take(limit as usize).map(|(_, event)| event.clone()).collect())
    }

    async fn head(&self, id: MatchId) -> Result<Option<Seq>, ReadError> {
        Ok(self.rows().head(id))
    }

    async fn match_row(&self, id: MatchId) -> Result<Option<MatchRow>, ReadError> {
        Ok(self.rows().matches.get(&id).cloned())
    }

    async fn match_by_create_request(
        &self,
        owner: &str,
        hash: &[u8; 32],
    ) -> Result<Option<MatchRow>, ReadError> {
        let rows = self.rows();
        let id = rows.creates.get(&(owner.to_owned(), *hash));
        Ok(id.and_then(|id| rows.matches.get(id)).cloned())
    }

    async fn list_matches(&self, range: &MatchRange) -> Result<Vec<MatchRow>, ReadError> {
        let rows = self.rows();
        let mut fitting: Vec<_> = rows.matches.values().filter(|row| fits(row, range)).collect();
        fitting.sort_unstable_by_key(|row| Reverse(place(row)));
        Ok(fitting.into_iter().take(range.limit as usize).cloned().collect())
    }

    async fn count_matches(&self, game: Option<&str>, since: RecordedTime) -> Result<u64, ReadError> {
        let fits = |row: &&MatchRow| game.is_none_or(|game| row.game == game) && row.created_time >= since;
        Ok(self.rows().matches.values().filter(fits).count() as u64)
    }

    async fn lanes(&self) -> Result<LanesSeen, ReadError> {
        let rows = self.rows();
        let newest_event = rows.feed.last().map(|last| last.clock).unwrap_or_default();
        // One lane writes here, so what is committed is final.
        Ok(LanesSeen { open: Vec::new(), newest_commit: newest_event, newest_event })
    }

    async fn feed(&self, range: &FeedRange<'_>) -> Result<Vec<FeedRow>, ReadError> {
        let rows = self.rows();
        let newer = rows.feed.range((Bound::Excluded(range.after), Bound::Unbounded));
        let newer = newer.take_while(|cursor| cursor.clock <= range.until).take(range.limit as usize);
        Ok(newer.map(|&cursor| FeedRow { cursor, item: feed_item(&rows, cursor, range.scope) }).collect())
    }

    async fn due(&self, until: RecordedTime, limit: u32) -> Result<Vec<Deadline>, ReadError> {
        let rows = self.rows();
        let mut due: Vec<Deadline> = rows.deadlines.values().filter(|d| d.due <= until).copied().collect();
        due.sort_by_key(|deadline| (deadline.due, deadline.match_id));
        due.truncate(limit as usize);
        Ok(due)
    }

    async fn bind_key(&self, fingerprint: [u8; 32]) -> Result<store::Bound, ReadError> {
        let mut rows = self.rows();
        let how = if rows.fingerprint.is_some() { KeyBinding::Known } else { KeyBinding::First };
        Ok(store::Bound { fingerprint: *rows.fingerprint.get_or_insert(fingerprint), how })
    }

    async fn bound_key(&self) -> Result<Option<[u8; 32]>, ReadError> {
        Ok(self.rows().fingerprint)
    }

    async fn rebind_key(&self, old: [u8; 32], new: [u8; 32]) -> Result<bool, ReadError> {
        let mut rows = self.rows();
        let is_old = rows.fingerprint == Some(old);
        if is_old {
            rows.fingerprint = Some(new);
        }
        Ok(is_old)
    }

    async fn time(&self) -> Result<RecordedTime, ReadError> {
        Ok(system_time())
    }

    async fn forget(&self, before: Clock, limit: u32) -> Result<u64, ReadError> {
        let mut rows = self.rows();
        let old: Vec<_> = rows
            .commits
            .iter()
            .filter(|&(&(lane, no), &(clock, _))| {
                clock < before && rows.commits.contains_key(&(lane, no.next()))
            })
            .map(|(&key, _)| key)
            .take(limit as usize)
            .collect();
        old.iter().for_each(|key| drop(rows.commits.remove(key)));
        Ok(old.len() as u64)
    }

    async fn close(&self) {}
}

/// None if its match is not of this scope.
fn feed_item(rows: &Rows, cursor: FeedCursor, scope: &Scope) -> Option<FeedItem> {
    let id = cursor.match_id;
    if let Some((owner, visibility)) = scope.feed_columns() {
        let row = rows.matches.get(&id)?;
        let fits = owner == Some(&row.owner) || visibility == Some(row.visibility.as_str());
        if !fits {
            return None;
        }
    }
    let event = rows.events.get(&(id, cursor.seq))?.event.redacted();
    Some(FeedItem { cursor, event })
}

fn fits(row: &MatchRow, range: &MatchRange) -> bool {
    let mut seats = row.seats.iter().zip(&range.players);
    range.visibility.is_none_or(|visibility| row.visibility == visibility)
        && range.owner.as_ref().is_none_or(|owner| row.owner == *owner)
        && seats.all(|(seat, name)| name.is_none() || seat.player_name == *name)
        && range.game.as_ref().is_none_or(|game| row.game == *game)
        && range.status.is_none_or(|status| row.status == status)
        && row.created_time >= range.since
        && place(row) < range.end
}
