//! The tailer follows other replicas' writers: it announces their commits, closes writers of dead replicas,
//! and notices when the database has lost commits that it had.

mod polling;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::broadcast;

use crate::batch::{DecodedBody, Purpose, decode_body, encode_empty_body};
use crate::database_time::DatabaseTime;
use crate::feed::FeedSignals;
use crate::ids::{ReplicaId, WriterId};
use crate::lifecycle::Lifecycle;
use crate::store::{CloseOutcome, KnownWriters, LoggedCommit, TailSource, WriterHead};
use crate::writer::OwnHeads;
use crate::{JournalTiming, MatchId, NewEvents, ReadError, Seq, StopReason};

pub use self::polling::FastPolling;
pub(crate) use self::polling::PollingDemand;

/// Maximum commits per writer and poll.
const COMMITS_PER_POLL: u32 = 64;

/// Maximum silence that one poll counts. After a longer gap between polls the database may have been down for
/// everyone.
const MAX_GAP: Duration = Duration::from_secs(1);

/// Maximum number of closed writers to remember.
const MAX_CLOSED: usize = 256;

/// Maximum number of closed writers whose last commit is looked up again and again.
const MAX_CLOSED_HEADS: usize = 16;

/// The tailer's task.
pub(crate) struct Tailer {
    pub(crate) source: Arc<dyn TailSource>,
    pub(crate) replica: ReplicaId,
    pub(crate) time: Arc<DatabaseTime>,
    pub(crate) lifecycle: Lifecycle,
    pub(crate) timing: JournalTiming,
    pub(crate) polling: Arc<PollingDemand>,
    pub(crate) feed: Arc<FeedSignals>,
    pub(crate) new_events: broadcast::Sender<NewEvents>,
    pub(crate) erasures: broadcast::Sender<MatchId>,
    pub(crate) own_heads: Arc<OwnHeads>,
    /// When the database was last seen to have all known commits.
    pub(crate) history_checked: Instant,
    pub(crate) known: KnownWriters,
    /// The time since each open writer's last commit.
    pub(crate) silences: HashMap<WriterId, Duration>,
    /// The last commits of writers that closed, newest last.
    pub(crate) closed_heads: VecDeque<WriterHead>,
}

impl Tailer {
    /// Polls until the journal closes.
    pub(crate) async fn run(mut self) {
        let lifecycle = self.lifecycle.clone();
        let _guard = lifecycle.stop_on_panic();
        let mut last_poll = Instant::now();
        let mut failing = false;
        while lifecycle.until_closing(self.polling.pause(self.timing)).await.is_some() {
            let gap = last_poll.elapsed();
            last_poll = Instant::now();
            match self.poll(gap.min(MAX_GAP)).await {
                Ok(()) => failing = false,
                Err(error) if !failing => {
                    failing = true;
                    tracing::warn!(%error, "other replicas' commits can't be read; retrying");
                }
                // Logged by the first failure.
                Err(_) => {}
            }
        }
    }

    /// Reads new commits, and counts `gap` as silence of the writers that have none.
    async fn poll(&mut self, gap: Duration) -> Result<(), ReadError> {
        if self.history_checked.elapsed() >= self.timing.idle_poll_interval {
            self.check_history().await?;
            self.history_checked = Instant::now();
        }
        loop {
            let commits = self.source.newer_commits(&self.known, COMMITS_PER_POLL).await?;
            let count = commits.len();
            if count > 0 {
                self.feed.committed();
            }
            commits.into_iter().for_each(|commit| self.handle(commit));
            if count < COMMITS_PER_POLL as usize {
                break;
            }
        }
        self.count_silence(gap).await
    }

    /// Compares the last known commits, its own and others', with the database. A failover to a standby that
    /// lagged loses some of them.
    async fn check_history(&mut self) -> Result<(), ReadError> {
        let own = self.own_heads.all();
        let mut heads = own.clone();
        heads.extend(self.known.open.iter().chain(&self.closed_heads));
        let lost = self.source.lost_commits(&heads).await?;
        if own.iter().any(|head| lost.contains(&head.writer)) {
            self.lifecycle.stop(StopReason::HistoryChanged);
        } else if !lost.is_empty() {
            tracing::warn!("the database lost commits of other replicas; everything is read again");
            self.known = self.source.known_writers().await?;
            self.silences.clear();
            self.closed_heads.clear();
            self.feed.committed();
            self.lifecycle.invalidate();
        }
        Ok(())
    }

    fn handle(&mut self, commit: LoggedCommit) {
        let WriterHead { writer, number, hlc } = commit.head;
        self.silences.insert(writer, Duration::ZERO);
        match self.known.open.iter_mut().find(|head| head.writer == writer) {
            Some(head) => {
                if number != head.number.next() {
                    // Commits were pruned before they were read, so it is unknown which matches they changed.
                    self.lifecycle.invalidate();
                }
                *head = commit.head;
            }
            None => self.known.open.push(commit.head),
        }
        match decode_body(commit.body) {
            Some(DecodedBody { purpose: Purpose::Closing, .. }) => self.remember_closed(commit.head),
            Some(DecodedBody { purpose: Purpose::FrontierRequest, .. }) => self.feed.requested_by_other(hlc),
            Some(DecodedBody { heads, erased, .. }) => self.announce(heads, erased),
            None => {
                tracing::error!(
                    writer = writer.0,
                    batch = number.0,
                    "a commit of another replica can't be decoded; caches are invalidated"
                );
                self.lifecycle.invalidate();
            }
        }
    }

    /// Announces what a commit changed. Without receivers nothing is cached.
    fn announce(&self, heads: Vec<(MatchId, Seq)>, erased: Vec<MatchId>) {
        for (match_id, head) in heads {
            drop(self.new_events.send(NewEvents { match_id, head }));
        }
        for match_id in erased {
            drop(self.erasures.send(match_id));
        }
    }

    fn remember_closed(&mut self, head: WriterHead) {
        let writer = head.writer;
        self.closed_heads.push_back(head);
        if self.closed_heads.len() > MAX_CLOSED_HEADS {
            self.closed_heads.pop_front();
        }
        self.known.open.retain(|head| head.writer != writer);
        self.silences.remove(&writer);
        self.known.closed.push(writer);
        if self.known.closed.len() > MAX_CLOSED {
            self.known.closed.sort_unstable();
            let oldest = self.known.closed.remove(0);
            self.known.first_new = self.known.first_new.max(WriterId(oldest.0 + 1));
        }
    }

    async fn count_silence(&mut self, gap: Duration) -> Result<(), ReadError> {
        for head in self.known.open.clone() {
            let silence = self.silences.entry(head.writer).or_default();
            *silence += gap;
            if *silence >= self.timing.silence_timeout {
                *silence = Duration::ZERO;
                self.close(head).await?;
            }
        }
        Ok(())
    }

    async fn close(&self, head: WriterHead) -> Result<(), ReadError> {
        let hlc = self.time.hlc_after(head.hlc);
        let body = encode_empty_body(self.replica, Purpose::Closing);
        if self.source.close_writer(head, hlc, &body).await? == CloseOutcome::Closed {
            tracing::warn!(
                writer = head.writer.0,
                "closed a writer of a replica that was silent for too long"
            );
        }
        Ok(())
    }
}
