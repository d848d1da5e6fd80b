//! The handle of an open journal: appending through its writers, reading from its store, and signals of its
//! tasks.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tokio::sync::{broadcast, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::DropGuard;
use tracing::{Instrument, Span};

use crate::background::{PollingDemand, check_key};
use crate::batch::{Erasure, Request};
use crate::database_time::DatabaseTime;
use crate::feed::{FeedCursor, FeedPage, FeedQuery, FeedReader};
use crate::lifecycle::Lifecycle;
use crate::monitoring::steps;
use crate::store::{Store, WebhookStore};
use crate::writer::{Access, Contention, ShardQueues, WriterKind, WriterMetrics, outcome_word};
use crate::{
    Append, AppendError, ArchivedLogs, BindKeyError, Committed, Deadline, FastPolling, Head, JournalStats,
    JournalTiming, KeyBinding, Labels, MatchFilter, MatchId, MatchPage, MatchRow, NewEvents, PageSize,
    ReadError, RecordTime, Seq, ServiceIdentity, Shards, StopReason, StoredEvent, archiving, directory,
};

/// An open journal; cheap to clone. It closes when the last handle is dropped, or by `close`.
#[derive(Clone)]
pub struct Journal {
    pub(crate) inner: Arc<Inner>,
}

/// What all handles of a journal share.
pub(crate) struct Inner {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) archive: Option<Arc<dyn ArchivedLogs>>,
    pub(crate) webhooks: Arc<dyn WebhookStore>,
    pub(crate) time: Arc<DatabaseTime>,
    pub(crate) lifecycle: Lifecycle,
    pub(crate) timing: JournalTiming,
    pub(crate) access: Access,
    pub(crate) metrics: Arc<WriterMetrics>,
    pub(crate) contention: Arc<Contention>,
    pub(crate) feed: FeedReader,
    pub(crate) new_events: broadcast::Sender<NewEvents>,
    pub(crate) erasures: broadcast::Sender<MatchId>,
    pub(crate) shards: Shards,
    /// Of each shard, in order.
    pub(crate) queues: Vec<ShardQueues>,
    /// The database without its password.
    pub(crate) description: String,
    pub(crate) polling: Arc<PollingDemand>,
    pub(crate) writers: Mutex<Vec<JoinHandle<()>>>,
    /// Ends every task when the last handle is dropped.
    pub(crate) _close_on_drop: DropGuard,
}

impl Journal {
    /// Appends events as a whole or not at all, and returns once they are durable. The work continues if the
    /// caller drops the call.
    pub async fn append(&self, append: Append) -> Result<Committed, AppendError> {
        append.check()?;
        if self.inner.lifecycle.is_stopped() {
            return Err(AppendError::Stopped);
        }
        let ShardQueues { batching, contended, .. } = self.queues_of(append.match_id);
        let (kind, queue) = match contended {
            Some(queue) if self.inner.contention.contains(append.match_id) => (WriterKind::Contended, queue),
            _ => (WriterKind::Batching, batching),
        };
        let started = Instant::now();
        let step = steps::append(kind, append.events.len());
        let (request, ticket) = Request::new(append, step.clone());
        let answer = match queue.push(request) {
            Ok(()) => ticket.wait(self.inner.timing.append_timeout).instrument(step.clone()).await,
            Err(error) => Err(error),
        };
        if !step.is_disabled() {
            step.record("matchbook.outcome", outcome_word(&answer));
        }
        self.inner.metrics.record_append(kind, &answer, started.elapsed());
        answer
    }

    /// Erases the player of a claimed seat: name, id and salt. Returns once that is durable; does nothing to
    /// a seat without one. Other replicas learn of it from their `erasures`.
    pub async fn erase_player(&self, match_id: MatchId, seat: u8) -> Result<(), AppendError> {
        if self.inner.lifecycle.is_stopped() {
            return Err(AppendError::Stopped);
        }
        let erasure = Erasure { match_id, seat };
        self.queues_of(match_id).erasures.erase(erasure, self.inner.timing.append_timeout).await
    }

    /// Returns the queues of the writers of a match's shard.
    fn queues_of(&self, id: MatchId) -> &ShardQueues {
        &self.inner.queues[usize::from(self.inner.shards.of(id).number())]
    }

    /// Returns a match's events after `after`, in order.
    pub async fn events(
        &self,
        id: MatchId,
        after: Seq,
        page: PageSize,
    ) -> Result<Vec<StoredEvent>, ReadError> {
        let found = self.inner.store.events(id, after, page).instrument(self.reading("event")).await?;
        self.or_archived(id, after, page, found).await
    }

    /// Returns events that were found in the database, or else those of the archive.
    async fn or_archived(
        &self,
        id: MatchId,
        after: Seq,
        page: PageSize,
        found: Vec<StoredEvent>,
    ) -> Result<Vec<StoredEvent>, ReadError> {
        let Inner { store, archive, .. } = &*self.inner;
        archiving::events(store.as_ref(), archive.as_deref(), id, after, page, found).await
    }

    /// Returns a match's events after `after` up to `last`, which the caller knows to exist. They may come
    /// from a standby, so do not conclude from the answer that there are no later events.
    pub async fn past_events(
        &self,
        id: MatchId,
        EventRange { after, last }: EventRange,
        page: PageSize,
    ) -> Result<Vec<StoredEvent>, ReadError> {
        match last.0.saturating_sub(after.0).min(page.0) {
            0 => Ok(Vec::new()),
            count => {
                let page = PageSize(count);
                let found = self.inner.store.past_events(id, after, page).await?;
                self.or_archived(id, after, page, found).await
            }
        }
    }

    /// Returns a match's newest event, or `None` if there is no such match. Costs one index probe.
    pub async fn head(&self, id: MatchId) -> Result<Option<Head>, ReadError> {
        archiving::head(self.inner.store.as_ref(), id).instrument(self.reading("event")).await
    }

    /// Returns a match's row in the directory.
    pub async fn match_row(&self, id: MatchId) -> Result<Option<MatchRow>, ReadError> {
        self.inner.store.match_row(id).instrument(self.reading("match")).await
    }

    /// Returns the rows of those of these matches that exist.
    pub async fn match_rows(&self, ids: &[MatchId]) -> Result<Vec<MatchRow>, ReadError> {
        self.inner.store.match_rows(ids).instrument(self.reading("match")).await
    }

    /// Returns the match that this owner created with this request.
    pub async fn match_by_create_request(
        &self,
        owner: &str,
        hash: &[u8; 32],
    ) -> Result<Option<MatchRow>, ReadError> {
        let reading = self.inner.store.match_by_create_request(owner, hash);
        reading.instrument(self.reading("match")).await
    }

    /// Returns the match to which this owner gave this external id.
    pub async fn match_by_external_id(&self, owner: &str, id: &str) -> Result<Option<MatchRow>, ReadError> {
        self.inner.store.match_by_external_id(owner, id).instrument(self.reading("match")).await
    }

    /// Returns the labels of those of these matches that have any.
    pub async fn labels(&self, ids: &[MatchId]) -> Result<HashMap<MatchId, Labels>, ReadError> {
        self.inner.store.labels(ids).instrument(self.reading("match_label")).await
    }

    /// Replaces all labels of a match, if it exists. Of concurrent calls the last one wins as a whole. The
    /// work continues if the caller drops the call. After an error the labels may have been replaced.
    pub async fn set_labels(&self, id: MatchId, labels: Labels) -> Result<(), ReadError> {
        let store = self.inner.store.clone();
        let work = tokio::spawn(async move { store.set_labels(id, &labels).await }.in_current_span());
        let aborted = |_| ReadError::Unavailable { what: "the task was aborted".to_owned() };
        work.await.map_err(aborted)?
    }

    /// Returns the matches that pass the filter, newest first, one page at a time.
    pub async fn list_matches(&self, filter: &MatchFilter) -> Result<MatchPage, ReadError> {
        let reading = directory::list(self.inner.store.as_ref(), filter);
        reading.instrument(self.reading("match")).await
    }

    /// Returns a page of the feed, up to its frontier.
    pub async fn feed(&self, query: &FeedQuery) -> Result<FeedPage, ReadError> {
        self.inner.feed.page(query).instrument(self.reading("event")).await
    }

    /// Waits until the feed has a final event after this position. Makes idle writers commit that hold it
    /// back.
    pub async fn wait_for_feed(&self, after: Option<FeedCursor>) -> Result<(), ReadError> {
        self.inner.feed.wait(after).await
    }

    /// Returns the position up to which the feed is final now. Every event that is committed from now on
    /// comes after it.
    pub async fn feed_frontier(&self) -> Result<FeedCursor, ReadError> {
        self.inner.feed.frontier().await
    }

    /// Returns the position after which the feed has all its events; `None` if that is its beginning. The
    /// events before were partly moved to the archive.
    pub async fn feed_horizon(&self) -> Result<Option<FeedCursor>, ReadError> {
        self.inner.store.feed_horizon().await
    }

    /// Returns the store of webhooks.
    #[must_use]
    pub fn webhooks(&self) -> Arc<dyn WebhookStore> {
        Arc::clone(&self.inner.webhooks)
    }

    /// Returns the deadlines up to `until`, earliest first.
    pub async fn due(&self, until: RecordTime, page: PageSize) -> Result<Vec<Deadline>, ReadError> {
        self.inner.store.due(until, page).await
    }

    /// Binds the database to a service, if it is bound to none. When a `KeyChange` binds another key later,
    /// the journal stops.
    pub async fn bind_key(&self, service: &ServiceIdentity) -> Result<KeyBinding, BindKeyError> {
        let inner = &self.inner;
        let (bound, binding) = inner.store.bind_key(service).await?;
        let bound = bound.service;
        if bound.fingerprint != service.fingerprint {
            return Err(BindKeyError::OtherKey);
        }
        if bound.name != service.name {
            return Err(BindKeyError::OtherName { bound: bound.name });
        }
        // With exclusive access no other process can bind another key.
        if inner.access == Access::Shared {
            let (store, lifecycle) = (inner.store.clone(), inner.lifecycle.clone());
            tokio::spawn(check_key(store, lifecycle, inner.timing.key_check_interval, bound.fingerprint));
        }
        Ok(binding)
    }

    /// Returns the database's time, never less than before.
    #[must_use]
    pub fn now(&self) -> RecordTime {
        self.inner.time.now()
    }

    /// Returns whether no other process can append to this database, so that a cached head is never stale.
    #[must_use]
    pub fn is_sole_writer(&self) -> bool {
        self.inner.access == Access::Exclusive
    }

    /// Creates the span of a read from this table.
    fn reading(&self, table: &'static str) -> Span {
        steps::read(self.inner.store.system(), table)
    }

    /// Returns current queue lengths and pool use.
    #[must_use]
    pub fn stats(&self) -> JournalStats {
        JournalStats {
            batching: self.inner.queues.iter().map(|queues| queues.batching.stats()).sum(),
            contended: self.inner.queues.iter().map(|queues| Some(queues.contended.as_ref()?.stats())).sum(),
            pool: self.inner.store.pool(),
        }
    }

    /// Subscribes to notices of new events that no answer announces: those of other replicas, and those of
    /// this one whose caller got `OutcomeUnknown` or went away. A receiver that lags must reload its matches.
    #[must_use]
    pub fn new_events(&self) -> broadcast::Receiver<NewEvents> {
        self.inner.new_events.subscribe()
    }

    /// Subscribes to notices of matches in which another replica erased a player, or this one did and its
    /// caller does not know. A receiver that lags must read all its matches again.
    #[must_use]
    pub fn erasures(&self) -> broadcast::Receiver<MatchId> {
        self.inner.erasures.subscribe()
    }

    /// Polls for other replicas' commits at the fast interval until the guard is dropped.
    #[must_use]
    pub fn poll_fast(&self) -> FastPolling {
        FastPolling::start(&self.inner.polling)
    }

    /// Counts invalidations: whenever the number changes, everything cached from the log may be stale.
    #[must_use]
    pub fn invalidations(&self) -> watch::Receiver<u64> {
        self.inner.lifecycle.invalidations()
    }

    /// Resolves if this replica must exit.
    pub fn stopped(&self) -> impl Future<Output = StopReason> + Send + use<> {
        let mut stop = self.inner.lifecycle.stop_signal();
        async move {
            let reason = stop.wait_for(Option::is_some).await.ok().and_then(|reason| reason.clone());
            match reason {
                Some(reason) => reason,
                // The journal was dropped without a reason to exit.
                None => std::future::pending().await,
            }
        }
    }

    /// Returns the number of the database's shards.
    #[must_use]
    pub fn shards(&self) -> Shards {
        self.inner.shards
    }

    /// Returns the database, without its password.
    #[must_use]
    pub fn description(&self) -> String {
        self.inner.description.clone()
    }

    /// Commits what is queued, closes the writers and the connections. Stops waiting after `close_timeout`;
    /// callers that still wait then do not learn their outcome.
    pub async fn close(self) {
        self.inner.lifecycle.close();
        let writers = std::mem::take(&mut *self.inner.writers.lock().expect("no holder of this lock panics"));
        let deadline = tokio::time::Instant::now() + self.inner.timing.close_timeout;
        for mut writer in writers {
            if tokio::time::timeout_at(deadline, &mut writer).await.is_err() {
                tracing::warn!("the journal closes with appends still queued");
                writer.abort();
            }
        }
        if tokio::time::timeout_at(deadline, self.inner.store.close()).await.is_err() {
            tracing::warn!("the journal closes with reads still running");
        }
    }
}

/// A range of a match's events that are known to exist: those after `after`, up to and including `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventRange {
    /// The event before the range; `Seq(0)` for the beginning.
    pub after: Seq,
    /// The last event of the range.
    pub last: Seq,
}

impl std::fmt::Debug for Journal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Journal({})", self.inner.description)
    }
}
