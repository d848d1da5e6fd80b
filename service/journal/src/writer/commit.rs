//! Commits a batch and resolves its outcome: retries until the outcome is known, isolates the request that
//! the database rejects, and answers every caller.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use tracing::Instrument;

use super::Writer;
use crate::batch::{Batch, DecodedBody, Delivery, Purpose, Request, decode_body};
use crate::monitoring::steps;
use crate::store::{WriteError, retry_pause};
use crate::{AppendError, Committed, Hlc, NewEvents, StopReason};

/// How often a batch is retried after a temporary failure of the database.
const TRANSIENT_RETRIES: u32 = 6;

/// The outcome of a batch. Except for `Committed`, nothing of it was written or ever will be.
enum Outcome {
    Committed,
    EventExists,
    CreateExists,
    Refused {
        what: String,
    },
    /// The database failed temporarily, for too long.
    Busy,
    /// The event before one of the batch is missing or another one.
    PredecessorDiffers,
}

impl Outcome {
    /// Returns the word for traces.
    fn as_str(&self) -> &'static str {
        match self {
            Outcome::Committed => "committed",
            Outcome::EventExists => "event_exists",
            Outcome::CreateExists => "create_exists",
            Outcome::Refused { .. } => "refused",
            Outcome::Busy => "busy",
            Outcome::PredecessorDiffers => "predecessor_differs",
        }
    }

    /// Returns the answer to the only request of a batch with this outcome.
    fn into_error(self) -> AppendError {
        match self {
            Outcome::Refused { what } => AppendError::Refused { what },
            Outcome::CreateExists => AppendError::DuplicateCreate,
            Outcome::EventExists | Outcome::Committed => AppendError::Conflict,
            Outcome::PredecessorDiffers => AppendError::HistoryChanged,
            Outcome::Busy => AppendError::Overloaded { retry_after: Duration::from_secs(1) },
        }
    }
}

impl Writer {
    /// Answers all requests. An error means that the replica must stop; then some requests remain unanswered.
    pub(super) async fn append(&mut self, requests: Vec<Request>) -> Result<(), StopReason> {
        let mut groups = VecDeque::from([requests]);
        while let Some(group) = groups.pop_front() {
            if group.is_empty() {
                continue;
            }
            let after = group.iter().filter_map(|request| request.append.after.map(|after| after.hlc)).max();
            let batch = Batch::of_events(self.next_batch_id(after), group);
            let sent = Instant::now();
            let outcome = self.commit_traced(&batch).await?;
            let retries = self.resolve(batch, outcome, sent).await?;
            retries.into_iter().rev().for_each(|group| groups.push_front(group));
        }
        Ok(())
    }

    /// Commits a batch without events, with an `Hlc` larger than `after`.
    pub(super) async fn commit_empty(
        &mut self,
        purpose: Purpose,
        after: Option<Hlc>,
    ) -> Result<(), StopReason> {
        let batch = Batch::empty(self.next_batch_id(after), purpose);
        match self.commit(&batch).await? {
            Outcome::Committed => self.record_commit(&batch),
            // Nobody waits for it, and the next keep-alive follows.
            _ => tracing::warn!(writer = self.id.0, "the database rejected an empty commit"),
        }
        Ok(())
    }

    /// Commits a batch of erasures. An error is the answer to each of them.
    pub(super) async fn commit_erasures(
        &mut self,
        batch: &Batch,
    ) -> Result<Result<(), AppendError>, StopReason> {
        match self.commit(batch).await? {
            Outcome::Committed => {
                self.record_commit(batch);
                Ok(Ok(()))
            }
            outcome => Ok(Err(outcome.into_error())),
        }
    }

    async fn commit_traced(&mut self, batch: &Batch) -> Result<Outcome, StopReason> {
        let step = steps::commit(self.resources.store.system(), self.kind, batch.requests());
        let outcome = self.commit(batch).instrument(step.clone()).await?;
        if !step.is_disabled() {
            step.record("matchbook.outcome", outcome.as_str());
        }
        Ok(outcome)
    }

    /// Sends the batch until its outcome is known.
    async fn commit(&mut self, batch: &Batch) -> Result<Outcome, StopReason> {
        let (mut attempt, mut in_flight) = (0, false);
        loop {
            match self.connection.commit(batch).await {
                Ok(()) => return Ok(Outcome::Committed),
                Err(WriteError::BatchExists) => {
                    if self.is_committed(batch).await? {
                        return Ok(Outcome::Committed);
                    }
                    tokio::time::sleep(retry_pause(attempt)).await;
                }
                Err(WriteError::EventExists) if self.is_committed(batch).await? => {
                    return Ok(Outcome::Committed);
                }
                Err(WriteError::EventExists) => return Ok(Outcome::EventExists),
                Err(WriteError::PredecessorDiffers) => return Ok(Outcome::PredecessorDiffers),
                Err(WriteError::CommitMissing) => return Err(StopReason::HistoryChanged),
                Err(WriteError::CreateExists) => return Ok(Outcome::CreateExists),
                Err(WriteError::Refused { what }) => return Ok(Outcome::Refused { what }),
                // As long as a lost attempt may be in flight, no other batch can have its number.
                Err(WriteError::Transient { what }) if attempt >= TRANSIENT_RETRIES && !in_flight => {
                    tracing::warn!(writer = self.id.0, error = %what, "the database took no writes");
                    return Ok(Outcome::Busy);
                }
                Err(error @ WriteError::Transient { .. }) => self.recover(&error, attempt).await?,
                Err(error @ WriteError::Lost { .. }) => {
                    in_flight = true;
                    self.reconnect(&error).await?;
                }
            }
            attempt += 1;
        }
    }

    /// Returns whether the commit with the batch's number is this batch. If it is another, the replica must
    /// stop.
    async fn is_committed(&mut self, batch: &Batch) -> Result<bool, StopReason> {
        match self.read_commit(batch.id.number).await? {
            None => Ok(false),
            Some(body) if body == batch.body => Ok(true),
            Some(body) => Err(match decode_body(body) {
                Some(DecodedBody { purpose: Purpose::Closing, .. }) => StopReason::Fenced,
                _ => StopReason::HistoryChanged,
            }),
        }
    }

    /// Answers the requests of a batch. Returns those to retry, in groups that form a batch each.
    async fn resolve(
        &mut self,
        batch: Batch,
        outcome: Outcome,
        sent: Instant,
    ) -> Result<Vec<Vec<Request>>, StopReason> {
        let size = batch.requests().len();
        Ok(match outcome {
            Outcome::Committed => {
                self.acknowledge(batch, sent);
                Vec::new()
            }
            Outcome::EventExists | Outcome::PredecessorDiffers => {
                let rest = self.reject_conflicting(batch, &outcome.into_error()).await?;
                // If no request seems to conflict, sending each alone shows which one does.
                if rest.len() == size { one_by_one(rest) } else { vec![rest] }
            }
            outcome if matches!(outcome, Outcome::Busy) || size == 1 => {
                let error = outcome.into_error();
                batch.into_requests().into_iter().for_each(|request| request.answer(Err(error.clone())));
                Vec::new()
            }
            // Sending each alone shows which one the database rejects.
            _ => one_by_one(batch.into_requests()),
        })
    }

    fn acknowledge(&mut self, batch: Batch, sent: Instant) {
        self.resources.metrics.record_commit(self.kind, batch.requests().len(), sent.elapsed());
        self.record_commit(&batch);
        self.resources.feed.committed();
        let hlc = batch.id.hlc;
        for request in batch.into_requests() {
            let commit = NewEvents { match_id: request.append.match_id, head: request.append.last_seq() };
            if request.acknowledge(Committed { hlc }) == Delivery::CallerGone {
                // The caller does not know the outcome, so caches of the match must learn it this way.
                drop(self.resources.new_events.send(commit));
            }
        }
    }
}

fn one_by_one(requests: Vec<Request>) -> Vec<Vec<Request>> {
    requests.into_iter().map(|request| vec![request]).collect()
}
