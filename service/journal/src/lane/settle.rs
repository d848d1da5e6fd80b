//! Brings a batch to an end: sends it until it is known what became of it, finds who is to blame when the database
//! refuses it, and answers every caller the truth.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use tracing::Instrument;

use super::LaneTask;
use super::recover::follows;
use crate::batch::Batch;
use crate::commit_log::{self, Purpose};
use crate::request::{Heard, Request};
use crate::status::StopReason;
use crate::store::{WriteError, pause_before_attempt};
use crate::{AppendError, Clock, Committed, OthersCommit, steps};

/// How often a batch that the database rolled back for no fault of its own is sent again.
const TRANSIENT_ATTEMPTS: u32 = 6;

/// What became of a batch. All but the first mean that nothing of it was written or ever will be.
enum Outcome {
    Committed,
    EventTaken,
    CreateTaken,
    Refused {
        what: String,
    },
    /// The database could not do it for a while.
    Busy,
    /// After a reconnect: an event before one of the batch is not there.
    Gap,
}

impl Outcome {
    /// For those who measure.
    fn word(&self) -> &'static str {
        match self {
            Outcome::Committed => "committed",
            Outcome::EventTaken => "event_taken",
            Outcome::CreateTaken => "create_taken",
            Outcome::Refused { .. } => "refused",
            Outcome::Busy => "busy",
            Outcome::Gap => "gap",
        }
    }
}

impl LaneTask {
    /// Answers all these requests. An error means that the replica must stop; then some are left unanswered.
    pub(super) async fn settle(&mut self, requests: Vec<Request>) -> Result<(), StopReason> {
        let mut groups = VecDeque::from([requests]);
        while let Some(group) = groups.pop_front() {
            let group = self.with_predecessors(group).await?;
            if group.is_empty() {
                continue;
            }
            let after = group.iter().filter_map(|request| request.append.after_clock).max();
            let batch = Batch::of(self.next_place(after), group);
            let sent = Instant::now();
            let step = steps::commit(self.context.store.system(), self.role, batch.requests());
            let outcome = self.commit(&batch).instrument(step.clone()).await?;
            if !step.is_disabled() {
                step.record("matchbook.outcome", outcome.word());
            }
            // It ends before the answers to those who wait for it.
            drop(step);
            match outcome {
                Outcome::Committed => self.committed(batch, sent),
                Outcome::EventTaken => {
                    let size = batch.requests().len();
                    let rest = self.without_losers(batch).await?;
                    // No loser to be seen: then each alone shows who it is.
                    let pieces = if rest.len() == size { one_by_one(rest) } else { vec![rest] };
                    pieces.into_iter().rev().for_each(|piece| groups.push_front(piece));
                }
                Outcome::Gap => groups.push_front(batch.into_requests()),
                Outcome::Busy => {
                    answer_all(batch, &AppendError::Overloaded { retry_after: Duration::from_secs(1) });
                }
                refusal if batch.requests().len() == 1 => answer_all(batch, &to_error(refusal)),
                _ => one_by_one(batch.into_requests())
                    .into_iter()
                    .rev()
                    .for_each(|piece| groups.push_front(piece)),
            }
        }
        Ok(())
    }

    /// Writes a batch without events, above this clock.
    pub(super) async fn settle_empty(
        &mut self,
        purpose: Purpose,
        after: Option<Clock>,
    ) -> Result<(), StopReason> {
        let batch = Batch::empty(self.next_place(after), purpose);
        match self.commit(&batch).await? {
            Outcome::Committed => self.acknowledge(&batch),
            // Nobody waits for it, and the next silence brings another.
            _ => tracing::warn!(lane = self.lane.0, "an empty commit was refused"),
        }
        Ok(())
    }

    /// Sends the batch until its fate is known.
    async fn commit(&mut self, batch: &Batch) -> Result<Outcome, StopReason> {
        let (mut attempt, mut in_doubt) = (0, false);
        loop {
            match self.link.write(batch).await {
                Ok(()) => return Ok(Outcome::Committed),
                Err(WriteError::NumberTaken) => {
                    if self.is_ours(batch).await? {
                        return Ok(Outcome::Committed);
                    }
                    tokio::time::sleep(pause_before_attempt(attempt)).await;
                }
                Err(WriteError::EventTaken) if self.is_ours(batch).await? => return Ok(Outcome::Committed),
                Err(WriteError::EventTaken) => return Ok(Outcome::EventTaken),
                Err(WriteError::CreateTaken) => return Ok(Outcome::CreateTaken),
                Err(WriteError::Refused { what }) => return Ok(Outcome::Refused { what }),
                // While a lost attempt may still be under way, its number is not free for another batch.
                Err(WriteError::Transient { .. }) if attempt >= TRANSIENT_ATTEMPTS && !in_doubt => {
                    return Ok(Outcome::Busy);
                }
                Err(error @ WriteError::Transient { .. }) => self.recover(&error, attempt).await?,
                Err(error @ WriteError::Lost { .. }) => {
                    in_doubt = true;
                    self.reconnect(&error).await?;
                    if self.has_gap(batch).await? {
                        return Ok(Outcome::Gap);
                    }
                }
            }
            attempt += 1;
        }
    }

    /// Whether the commit at the batch's place is this batch; if it is something else, the replica must stop.
    async fn is_ours(&mut self, batch: &Batch) -> Result<bool, StopReason> {
        match self.logged(batch.no).await? {
            None => Ok(false),
            Some(body) if body == batch.body => Ok(true),
            Some(body) => Err(match commit_log::heads(body) {
                Some((Purpose::Closing, _)) => StopReason::Fenced,
                _ => StopReason::AnotherHistory,
            }),
        }
    }

    async fn has_gap(&mut self, batch: &Batch) -> Result<bool, StopReason> {
        let heads = self.heads(batch.requests()).await?;
        Ok(!batch.requests().iter().all(|request| follows(request, &heads)))
    }

    /// Answers the requests whose place in their match is taken, and gives the others.
    async fn without_losers(&mut self, batch: Batch) -> Result<Vec<Request>, StopReason> {
        let heads = self.heads(batch.requests()).await?;
        let alone = batch.requests().len() == 1;
        let lost = |request: &Request| {
            alone || heads.get(&request.append.match_id).is_some_and(|&head| request.append.ends().0 <= head)
        };
        let (losers, rest): (Vec<_>, Vec<_>) = batch.into_requests().into_iter().partition(lost);
        for loser in losers {
            self.context.racing.lost(loser.append.match_id, self.context.timing.racing);
            loser.answer(Err(AppendError::Conflict));
        }
        Ok(rest)
    }

    fn committed(&mut self, batch: Batch, sent: Instant) {
        self.context.instruments.committed(self.role, batch.requests().len(), sent.elapsed());
        self.acknowledge(&batch);
        self.context.feed.tell();
        let clock = batch.clock;
        for request in batch.into_requests() {
            let commit = OthersCommit { match_id: request.append.match_id, head: request.append.ends().1 };
            if request.acknowledge(Committed { clock }) == Heard::No {
                // The caller has been told that the outcome is unknown: whoever keeps the match must learn it so.
                drop(self.context.commits.send(commit));
            }
        }
    }
}

fn one_by_one(requests: Vec<Request>) -> Vec<Vec<Request>> {
    requests.into_iter().map(|request| vec![request]).collect()
}

fn to_error(refusal: Outcome) -> AppendError {
    match refusal {
        Outcome::Refused { what } => AppendError::Refused { what },
        Outcome::CreateTaken => AppendError::DuplicateCreate,
        Outcome::EventTaken | Outcome::Committed | Outcome::Gap => AppendError::Conflict,
        Outcome::Busy => AppendError::Overloaded { retry_after: Duration::from_secs(1) },
    }
}

fn answer_all(batch: Batch, error: &AppendError) {
    batch.into_requests().into_iter().for_each(|request| request.answer(Err(error.clone())));
}
