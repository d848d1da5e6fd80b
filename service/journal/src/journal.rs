//! The handle that callers use: appending through the lanes, reading past them, and what the journal's tasks tell.

use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tokio::sync::{broadcast, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::DropGuard;
use tracing::{Instrument, Span};

use crate::context::{Context, Rivals};
use crate::feed::{self, FeedCursor, FeedPage, FeedQuery};
use crate::instruments::outcome_word;
use crate::lane::{QueueSender, Role};
use crate::request::Request;
use crate::tailer::Watches;
use crate::{
    Append, AppendError, BindKeyError, CloseWatch, Committed, Deadline, KeyBinding, MatchFilter, MatchId,
    MatchRow, OthersCommit, ReadError, RecordedTime, Seq, Stats, StopReason, StoredEvent, directory,
    key_change, steps,
};

/// An opened journal; cheap to clone. It closes when the last handle is dropped, or at once by `close`.
#[derive(Clone)]
pub struct Journal {
    pub(crate) inner: Arc<Inner>,
}

/// What the handles share.
pub(crate) struct Inner {
    pub(crate) context: Arc<Context>,
    pub(crate) description: String,
    pub(crate) writer: QueueSender,
    /// For matches that others write too; none if nobody else can.
    pub(crate) solo: Option<QueueSender>,
    pub(crate) watches: Arc<Watches>,
    pub(crate) lanes: Mutex<Vec<JoinHandle<()>>>,
    /// Ends every task when the last handle goes.
    pub(crate) _stop: DropGuard,
}

impl Journal {
    /// Appends the events whole or not at all, and answers when they are in the database for good. The work goes on
    /// if the caller drops the call.
    pub async fn append(&self, append: Append) -> Result<Committed, AppendError> {
        append.check()?;
        if self.inner.context.status.is_stopped() {
            return Err(AppendError::Stopped);
        }
        let (role, queue) = match &self.inner.solo {
            Some(solo) if self.inner.context.racing.contains(append.match_id) => (Role::Solo, solo),
            _ => (Role::Writer, &self.inner.writer),
        };
        let asked = Instant::now();
        let step = steps::append(role, append.events.len());
        let (request, ticket) = Request::new(append, step.clone());
        let outcome = match queue.push(request) {
            Ok(()) => {
                let waiting = ticket.wait(self.inner.context.timing.answer_within);
                waiting.instrument(step.clone()).await
            }
            Err(error) => Err(error),
        };
        if !step.is_disabled() {
            step.record("matchbook.outcome", outcome_word(&outcome.as_ref()));
        }
        self.inner.context.instruments.answered(role, &outcome, asked.elapsed());
        outcome
    }

    /// A match's events after `after`, ascending, at most `limit` of them.
    pub async fn events(&self, id: MatchId, after: Seq, limit: u32) -> Result<Vec<StoredEvent>, ReadError> {
        self.inner.context.store.events(id, after, limit).instrument(self.reading("event")).await
    }

    /// A match's events after `after`, at most `limit` of them and up to `last`, which the caller knows to be there. They
    /// may come from a read database, so nothing is decided by what comes after them.
    pub async fn past_events(
        &self,
        id: MatchId,
        after: Seq,
        last: Seq,
        limit: u32,
    ) -> Result<Vec<StoredEvent>, ReadError> {
        match last.0.saturating_sub(after.0).min(limit) {
            0 => Ok(Vec::new()),
            count => self.inner.context.store.past_events(id, after, count).await,
        }
    }

    /// The last event's place in a match; none if there is no such match. One probe of the key.
    pub async fn head(&self, id: MatchId) -> Result<Option<Seq>, ReadError> {
        self.inner.context.store.head(id).instrument(self.reading("event")).await
    }

    /// A match's line in the directory.
    pub async fn match_row(&self, id: MatchId) -> Result<Option<MatchRow>, ReadError> {
        self.inner.context.store.match_row(id).instrument(self.reading("match")).await
    }

    /// The match that this owner created with this request.
    pub async fn match_by_create_request(
        &self,
        owner: &str,
        hash: &[u8; 32],
    ) -> Result<Option<MatchRow>, ReadError> {
        let reading = self.inner.context.store.match_by_create_request(owner, hash);
        reading.instrument(self.reading("match")).await
    }

    /// The directory's lines that fit, the last created first.
    pub async fn list_matches(&self, filter: &MatchFilter) -> Result<Vec<MatchRow>, ReadError> {
        let reading = directory::list(self.inner.context.store.as_ref(), filter);
        reading.instrument(self.reading("match")).await
    }

    /// Events of all matches in the order of the feed, as far as it is final.
    pub async fn feed(&self, query: &FeedQuery) -> Result<FeedPage, ReadError> {
        let reading = feed::page(&self.inner.context, query);
        reading.instrument(self.reading("event")).await
    }

    /// Resolves when there is more in the feed after this place. Lanes that hold it back are asked meanwhile.
    pub async fn feed_news(&self, after: Option<FeedCursor>) -> Result<(), ReadError> {
        feed::news(&self.inner.context, after).await
    }

    /// The deadlines that are not after `until`, the earliest first.
    pub async fn due(&self, until: RecordedTime, limit: u32) -> Result<Vec<Deadline>, ReadError> {
        self.inner.context.store.due(until, limit).await
    }

    /// Binds the database to the service key with this fingerprint. The first one stays, until a `KeyChange`: then the
    /// journal stops.
    pub async fn bind_key(&self, fingerprint: [u8; 32]) -> Result<KeyBinding, BindKeyError> {
        let context = &self.inner.context;
        match context.store.bind_key(fingerprint).await? {
            binding if binding.fingerprint != fingerprint => Err(BindKeyError::OtherKey),
            binding => {
                // A file that is served has a lock, and is bound to no other key meanwhile.
                if context.rivals == Rivals::Possible {
                    tokio::spawn(key_change::watch(context.clone(), fingerprint));
                }
                Ok(binding.how)
            }
        }
    }

    /// The database's time; never less than it was told before.
    #[must_use]
    pub fn now(&self) -> RecordedTime {
        self.inner.context.time.now()
    }

    /// Whether nobody else can append to this database, so that a cached head is the head.
    #[must_use]
    pub fn is_sole_writer(&self) -> bool {
        self.inner.context.rivals == Rivals::Excluded
    }

    /// The step of a call that reads this table.
    fn reading(&self, table: &'static str) -> Span {
        steps::read(self.inner.context.store.system(), table)
    }

    /// What waits and what is in use at this moment.
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats {
            writer: self.inner.writer.stats(),
            solo: self.inner.solo.as_ref().map(QueueSender::stats),
            pool: self.inner.context.store.pool(),
        }
    }

    /// Tells what other replicas append from now on, and what this one does after its caller was told
    /// `OutcomeUnknown` or went away. A receiver that lags behind must read its matches again.
    #[must_use]
    pub fn others_commits(&self) -> broadcast::Receiver<OthersCommit> {
        self.inner.context.commits.subscribe()
    }

    /// Looks closely for other replicas' commits as long as the guard lives.
    #[must_use]
    pub fn watch_closely(&self) -> CloseWatch {
        CloseWatch::begin(&self.inner.watches)
    }

    /// Counts how often everything cached from the log had to be forgotten; changes when it must be again.
    #[must_use]
    pub fn reset_signal(&self) -> watch::Receiver<u64> {
        self.inner.context.status.resets()
    }

    /// Resolves when this replica must exit, and only then.
    pub fn stopped(&self) -> impl Future<Output = StopReason> + Send + use<> {
        let mut stop = self.inner.context.status.stopped();
        async move {
            let reason = stop.wait_for(Option::is_some).await.ok().and_then(|reason| reason.clone());
            match reason {
                Some(reason) => reason,
                // The journal is gone without a reason to exit.
                None => std::future::pending().await,
            }
        }
    }

    /// Which database this is, without its password.
    #[must_use]
    pub fn description(&self) -> String {
        self.inner.description.clone()
    }

    /// Writes what is queued, closes the lanes and lets the database go. Gives up after `close_within`; whoever still
    /// waits then does not learn the outcome.
    pub async fn close(self) {
        let context = self.inner.context.clone();
        context.closing.cancel();
        let lanes = std::mem::take(&mut *self.inner.lanes.lock().expect("no holder of this lock panics"));
        let deadline = tokio::time::Instant::now() + context.timing.close_within;
        for mut lane in lanes {
            if tokio::time::timeout_at(deadline, &mut lane).await.is_err() {
                tracing::warn!("the journal closes before its queue was written");
                lane.abort();
            }
        }
        if tokio::time::timeout_at(deadline, context.store.close()).await.is_err() {
            tracing::warn!("the database's readers did not end in time");
        }
    }
}

impl std::fmt::Debug for Journal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Journal({})", self.inner.description)
    }
}
