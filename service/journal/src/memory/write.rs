//! A lane's writes in memory, with the refusals of a real database in the same order.

use async_trait::async_trait;
use bytes::Bytes;

use super::Memory;
use super::rows::{Rows, broken_rule};
use crate::batch::Batch;
use crate::store::{LaneConnection, Opening, WriteError};
use crate::{Clock, FeedCursor, Lane, LaneNo, MatchId, MatchRow, NewEvent, Seq, StoredEvent};

#[async_trait]
impl LaneConnection for Memory {
    async fn open_lane(&mut self, opening: &Opening) -> Result<Lane, WriteError> {
        let mut rows = self.rows();
        rows.last_lane += 1;
        let lane = Lane(rows.last_lane);
        rows.commits.insert((lane, LaneNo(1)), (opening.clock, opening.body.clone()));
        Ok(lane)
    }

    async fn latest_clock(&mut self) -> Result<Clock, WriteError> {
        Ok(self.rows().latest_clock())
    }

    async fn write(&mut self, batch: &Batch) -> Result<(), WriteError> {
        let mut rows = self.rows();
        check(&rows, batch)?;
        rows.commits.insert((batch.lane, batch.no), (batch.clock, batch.body.clone()));
        for (id, NewEvent { event, request_hash }) in batch.events() {
            rows.feed.insert(FeedCursor { clock: batch.clock, match_id: id, seq: event.seq });
            let stored =
                StoredEvent { event: event.clone(), request_hash: *request_hash, clock: batch.clock };
            rows.events.insert((id, event.seq), stored);
        }
        for row in batch.match_rows() {
            if let Some(key) = create_key(row) {
                rows.creates.insert(key, row.match_id);
            }
            rows.matches.insert(row.match_id, row.clone());
        }
        let (set, clear) = batch.deadlines();
        rows.deadlines.extend(set.into_iter().map(|deadline| (deadline.match_id, deadline)));
        rows.deadlines.retain(|id, _| !clear.contains(id));
        Ok(())
    }

    async fn logged(&mut self, lane: Lane, no: LaneNo) -> Result<Option<Bytes>, WriteError> {
        Ok(self.rows().commits.get(&(lane, no)).map(|(_, body)| body.clone()))
    }

    async fn heads(&mut self, ids: &[MatchId]) -> Result<Vec<(MatchId, Seq)>, WriteError> {
        let rows = self.rows();
        Ok(ids.iter().filter_map(|&id| Some((id, rows.head(id)?))).collect())
    }
}

fn check(rows: &Rows, batch: &Batch) -> Result<(), WriteError> {
    if rows.commits.contains_key(&(batch.lane, batch.no)) {
        return Err(WriteError::NumberTaken);
    }
    if batch.events().any(|(id, new)| rows.events.contains_key(&(id, new.event.seq))) {
        return Err(WriteError::EventTaken);
    }
    for row in batch.match_rows() {
        if let Some(rule) = broken_rule(row) {
            return Err(WriteError::Refused { what: format!("a check of the directory: {rule}") });
        }
        let taken = create_key(row).and_then(|key| rows.creates.get(&key));
        if taken.is_some_and(|&id| id != row.match_id) {
            return Err(WriteError::CreateTaken);
        }
    }
    Ok(())
}

fn create_key(row: &MatchRow) -> Option<(String, [u8; 32])> {
    Some((row.owner.clone(), row.create_request_hash?))
}
