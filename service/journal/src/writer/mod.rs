//! A writer appends events to the database in batches, one batch in flight at a time. `queue` is its bounded
//! inbox, `batching` picks the next batch, `commit` executes it and resolves its outcome, `connection`
//! reconnects and detects a database that lost or replaced committed batches. `conflicts` finds the
//! requests of a batch that the database's events exclude.

mod batching;
mod commit;
mod conflicts;
mod connection;
mod contention;
mod erasing;
mod kind;
mod metrics;
mod own_heads;
mod queue;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::{broadcast, watch};

use self::batching::Work;
use self::connection::Connection;
use self::erasing::ErasureReceiver;
use self::queue::QueueReceiver;
use crate::batch::{Batch, BatchId, Purpose, Request, encode_empty_body};
use crate::database_time::DatabaseTime;
use crate::feed::{FeedSignals, FrontierRequests};
use crate::ids::{BatchNumber, ReplicaId, WriterId};
use crate::lifecycle::Lifecycle;
use crate::store::{OpeningCommit, Store, WriteError, WriterHead};
use crate::{AppendError, Hlc, JournalLimits, JournalTiming, MatchId, NewEvents, Shard, StopReason};

pub(crate) use self::contention::Contention;
pub(crate) use self::erasing::ErasureSender;
pub(crate) use self::kind::WriterKind;
pub(crate) use self::metrics::{WriterMetrics, outcome_word};
pub(crate) use self::own_heads::OwnHeads;
pub(crate) use self::queue::QueueSender;

/// What a writer works with. All writers of a journal share it.
#[derive(Clone)]
pub(crate) struct WriterResources {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) replica: ReplicaId,
    pub(crate) time: Arc<DatabaseTime>,
    pub(crate) lifecycle: Lifecycle,
    pub(crate) limits: JournalLimits,
    pub(crate) timing: JournalTiming,
    pub(crate) access: Access,
    pub(crate) metrics: Arc<WriterMetrics>,
    pub(crate) contention: Arc<Contention>,
    pub(crate) own_heads: Arc<OwnHeads>,
    pub(crate) feed: Arc<FeedSignals>,
    /// Announces commits whose caller no longer waits for the answer.
    pub(crate) new_events: broadcast::Sender<NewEvents>,
    /// Announces erasures whose caller no longer waits for the answer.
    pub(crate) erasures: broadcast::Sender<MatchId>,
}

/// Whether other replicas may write to the same database, and close writers that are silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Shared,
    Exclusive,
}

/// A writer's task. It writes into one shard.
pub(crate) struct Writer {
    resources: WriterResources,
    kind: WriterKind,
    shard: Shard,
    connection: Connection,
    id: WriterId,
    last_commit: LastCommit,
    /// The next commit's `Hlc` is larger.
    hlc_floor: Hlc,
    queue: QueueReceiver,
    /// A request taken from the queue for the next batch.
    held: Option<Request>,
    erasures: ErasureReceiver,
    frontier_requests: watch::Receiver<FrontierRequests>,
    /// The last request of this replica's readers that was passed on to other replicas.
    forwarded_request: Hlc,
}

/// The callers' ends of a writer's queues.
pub(crate) struct WriterQueues {
    pub(crate) appends: QueueSender,
    pub(crate) erasures: ErasureSender,
}

/// The callers' ends of the queues of a shard's writers.
pub(crate) struct ShardQueues {
    /// Of the batching writer.
    pub(crate) batching: QueueSender,
    /// Of the contended writer; `None` if no other replica can write.
    pub(crate) contended: Option<QueueSender>,
    /// Of the batching writer, for erasures.
    pub(crate) erasures: ErasureSender,
}

/// The last commit that the database acknowledged.
struct LastCommit {
    number: BatchNumber,
    /// Its `Hlc`, by which the next commit recognizes it.
    hlc: Hlc,
    body: Bytes,
    at: Instant,
}

impl Writer {
    /// Connects and registers a new writer of a shard.
    pub(crate) async fn open(
        resources: WriterResources,
        kind: WriterKind,
        shard: Shard,
    ) -> Result<(Writer, WriterQueues), WriteError> {
        let (appends, queue) = queue::bounded(resources.limits);
        let (erasures, erasure_queue) = erasing::bounded();
        let mut connection = Connection::new(resources.store.clone(), shard, resources.timing.write_timeout);
        let hlc = Hlc(resources.time.now().0);
        let body = encode_empty_body(resources.replica, Purpose::Opening);
        let opening = OpeningCommit { replica: resources.replica, hlc, body: body.clone() };
        let id = connection.open_writer(&opening).await?;
        // Read after the writer is visible: no feed reader that missed the writer has passed this.
        let hlc_floor = hlc.max(connection.max_hlc().await?);
        let number = BatchNumber::FIRST;
        let last_commit = LastCommit { number, hlc, body, at: Instant::now() };
        resources.own_heads.record(WriterHead { writer: id, number, hlc });
        let frontier_requests = resources.feed.requests();
        let writer = Writer {
            resources,
            kind,
            shard,
            connection,
            id,
            last_commit,
            hlc_floor,
            queue,
            held: None,
            erasures: erasure_queue,
            frontier_requests,
            forwarded_request: Hlc(0),
        };
        Ok((writer, WriterQueues { appends, erasures }))
    }

    /// Works until the journal closes or the replica must stop.
    pub(crate) async fn run(mut self) {
        let lifecycle = self.resources.lifecycle.clone();
        let _guard = lifecycle.stop_on_panic();
        if let Err(reason) = self.work().await {
            lifecycle.stop(reason);
        }
        // Dropping the queue answers the requests that are still in it.
    }

    async fn work(&mut self) -> Result<(), StopReason> {
        let mut stop = self.resources.lifecycle.stop_signal();
        loop {
            self.serve_frontier_requests().await?;
            let work = tokio::select! {
                biased;
                // Another task of the journal stopped the replica.
                _ = stop.wait_for(Option::is_some) => return Ok(()),
                work = self.next_work() => work,
            };
            match work {
                Work::Append { requests, conflicting } => {
                    self.append(requests).await?;
                    // Answer now that the conflicting events are committed, so that a caller who reloads sees
                    // them.
                    conflicting.into_iter().for_each(|request| request.answer(Err(AppendError::Conflict)));
                    // Erasures get their turn however many appends are queued, and appends theirs.
                    self.erase_waiting(None).await?;
                }
                Work::Erase(first) => self.erase_waiting(Some(first)).await?,
                Work::KeepAlive => self.commit_empty(Purpose::KeepAlive, None).await?,
                Work::FrontierRequest => {}
                Work::Close => {
                    self.erase_waiting(None).await?;
                    return self.commit_empty(Purpose::Closing, None).await;
                }
            }
        }
    }

    /// Commits an empty batch if the feed's readers wait for one, and passes their request on to other
    /// replicas.
    async fn serve_frontier_requests(&mut self) -> Result<(), StopReason> {
        let FrontierRequests { own, others } = *self.frontier_requests.borrow_and_update();
        let forwards = self.kind == WriterKind::Batching && self.shard == Shard::FIRST;
        if forwards && others > self.forwarded_request {
            self.forwarded_request = others;
            return self.commit_empty(Purpose::FrontierRequest, Some(others)).await;
        }
        if own > self.hlc_floor {
            return self.commit_empty(Purpose::KeepAlive, Some(own)).await;
        }
        Ok(())
    }

    /// Returns the id of the next batch, whose `Hlc` is larger than `after`.
    fn next_batch_id(&self, after: Option<Hlc>) -> BatchId {
        let after = self.hlc_floor.max(after.unwrap_or_default());
        BatchId {
            replica: self.resources.replica,
            writer: self.id,
            number: self.last_commit.number.next(),
            hlc: self.resources.time.hlc_after(after),
            previous_hlc: self.last_commit.hlc,
        }
    }

    fn record_commit(&mut self, batch: &Batch) {
        let BatchId { number, hlc, .. } = batch.id;
        self.hlc_floor = hlc;
        self.resources.own_heads.record(WriterHead { writer: self.id, number, hlc });
        self.last_commit = LastCommit { number, hlc, body: batch.body.clone(), at: Instant::now() };
    }

    /// Returns the time until a keep-alive is due, or `None` if the writer needs none.
    fn time_to_keep_alive(&self) -> Option<Duration> {
        match self.resources.access {
            Access::Shared => {
                let interval = self.resources.timing.keep_alive_interval;
                Some(interval.saturating_sub(self.last_commit.at.elapsed()))
            }
            Access::Exclusive => None,
        }
    }
}
