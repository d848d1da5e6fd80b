//! A writer's commits in memory, with the errors of a real database in the same order.

use async_trait::async_trait;
use bytes::Bytes;

use super::MemoryDatabase;
use super::rows::{Rows, violated_check};
use crate::batch::{Batch, BatchEvent, BatchId, Erasure};
use crate::ids::{BatchNumber, WriterId};
use crate::store::{MatchHead, OpeningCommit, WriteError, WriterConnection};
use crate::{FeedCursor, Hlc, MatchId, NewEvent, Seq, StoredEvent};

#[async_trait]
impl WriterConnection for MemoryDatabase {
    async fn open_writer(&mut self, opening: &OpeningCommit) -> Result<WriterId, WriteError> {
        let mut rows = self.rows();
        rows.last_writer += 1;
        let writer = WriterId(rows.last_writer);
        rows.commits.insert((writer, BatchNumber::FIRST), (opening.hlc, opening.body.clone()));
        Ok(writer)
    }

    async fn max_hlc(&mut self) -> Result<Hlc, WriteError> {
        Ok(self.rows().max_hlc())
    }

    async fn commit(&mut self, batch: &Batch) -> Result<(), WriteError> {
        let BatchId { writer, number, hlc, .. } = batch.id;
        let mut rows = self.rows();
        check(&rows, batch)?;
        rows.commits.insert((writer, number), (hlc, batch.body.clone()));
        for BatchEvent { match_id, new: NewEvent { event, request_hash }, to_act, .. } in batch.events() {
            rows.to_act.extend(to_act.map(|seats| (match_id, seats)));
            rows.feed.insert(FeedCursor { hlc, match_id, seq: event.seq });
            let stored = StoredEvent { event: event.clone(), request_hash: *request_hash, hlc };
            rows.events.insert((match_id, event.seq), stored);
        }
        for row in batch.match_rows() {
            rows.creates.extend(row.registered.create_keys().map(|key| (key, row.match_id)));
            rows.upsert(row);
        }
        for Erasure { match_id, seat } in &batch.erasures {
            rows.change(*match_id, |rows| {
                let row = rows.matches.get_mut(match_id);
                if let Some(Some(seat)) = row.and_then(|row| row.seats.get_mut(usize::from(*seat))) {
                    seat.player = None;
                }
            });
        }
        for label in batch.labels() {
            rows.change(label.match_id, |rows| {
                let labels = &mut rows.labels.entry(label.match_id).or_default().0;
                labels.insert(label.key.to_owned(), label.value.to_owned())
            });
        }
        let (set, clear) = batch.deadlines();
        rows.deadlines.extend(set.into_iter().map(|deadline| (deadline.match_id, deadline)));
        rows.deadlines.retain(|id, _| !clear.contains(id));
        Ok(())
    }

    async fn read_commit(
        &mut self,
        writer: WriterId,
        number: BatchNumber,
    ) -> Result<Option<Bytes>, WriteError> {
        Ok(self.rows().commits.get(&(writer, number)).map(|(_, body)| body.clone()))
    }

    async fn heads(&mut self, previous: &[(MatchId, Seq)]) -> Result<Vec<MatchHead>, WriteError> {
        let rows = self.rows();
        let head = |&(match_id, previous)| {
            let previous_hash = rows.hash(match_id, previous);
            Some(MatchHead { match_id, seq: rows.head(match_id)?.seq, previous_hash })
        };
        Ok(previous.iter().filter_map(head).collect())
    }
}

fn check(rows: &Rows, batch: &Batch) -> Result<(), WriteError> {
    if rows.commits.contains_key(&(batch.id.writer, batch.id.number)) {
        return Err(WriteError::BatchExists);
    }
    let BatchId { writer, number, previous_hlc, .. } = batch.id;
    let previous = rows.commits.get(&(writer, number.previous()));
    if number != BatchNumber::FIRST && previous.is_none_or(|&(hlc, _)| hlc != previous_hlc) {
        return Err(WriteError::CommitMissing);
    }
    for BatchEvent { match_id, new, previous_hash, .. } in batch.events() {
        let seq = new.event.seq;
        if rows.events.contains_key(&(match_id, seq)) {
            return Err(WriteError::EventExists);
        }
        if previous_hash.is_some() && rows.hash(match_id, seq.previous()) != previous_hash {
            return Err(WriteError::PredecessorDiffers);
        }
    }
    for row in batch.match_rows() {
        if let Some(column) = violated_check(row) {
            return Err(WriteError::Refused { what: format!("the row violates the check of {column}") });
        }
        let mut existing = row.registered.create_keys().filter_map(|key| rows.creates.get(&key));
        if existing.any(|&id| id != row.match_id) {
            return Err(WriteError::CreateExists);
        }
    }
    Ok(())
}
