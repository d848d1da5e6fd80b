//! Follows the lanes of other replicas: tells what they commit, and closes the lanes of those that have died.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::Notify;

use crate::commit_log::{self, Purpose};
use crate::context::Context;
use crate::status::PanicAlarm;
use crate::store::{Closed, KnownLanes, LaneHead, LogRow, TailSource};
use crate::{Clock, Lane, MatchId, ReadError, Seq};

/// Somebody else has appended to this match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OthersCommit {
    /// Which match.
    pub match_id: MatchId,
    /// Its last event in that commit.
    pub head: Seq,
}

/// While it lives, other replicas' commits are looked for at the short interval.
#[derive(Debug)]
pub struct CloseWatch(Arc<Watches>);

/// How many watch closely, and a bell for the first of them.
#[derive(Debug, Default)]
pub(crate) struct Watches {
    count: AtomicUsize,
    first: Notify,
}

impl CloseWatch {
    pub(crate) fn begin(watches: &Arc<Watches>) -> CloseWatch {
        if watches.count.fetch_add(1, Ordering::Relaxed) == 0 {
            watches.first.notify_one();
        }
        CloseWatch(watches.clone())
    }
}

impl Drop for CloseWatch {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Most commits of one lane that one look brings.
const COMMITS_A_LOOK: u32 = 64;

/// A look that comes later than this says nothing about the time in between: perhaps nobody could write either.
const LONGEST_GAP: Duration = Duration::from_secs(1);

/// Lanes read to their end that are remembered before the oldest are dropped.
const CLOSED_REMEMBERED: usize = 256;

/// The task's state.
pub(crate) struct Tailer {
    context: Arc<Context>,
    source: Arc<dyn TailSource>,
    known: KnownLanes,
    silences: HashMap<Lane, Duration>,
    watches: Arc<Watches>,
}

impl Tailer {
    pub(crate) fn new(
        context: Arc<Context>,
        source: Arc<dyn TailSource>,
        known: KnownLanes,
        watches: Arc<Watches>,
    ) -> Tailer {
        Tailer { context, source, known, silences: HashMap::new(), watches }
    }

    /// Looks again and again until the journal closes.
    pub(crate) async fn run(mut self) {
        let _alarm = PanicAlarm(self.context.clone());
        let context = self.context.clone();
        let mut looked = Instant::now();
        let mut failing = false;
        while context.closing.run_until_cancelled(self.pause()).await.is_some() {
            let gap = looked.elapsed();
            looked = Instant::now();
            match self.look(gap.min(LONGEST_GAP)).await {
                Ok(()) => failing = false,
                Err(error) if !failing => {
                    failing = true;
                    tracing::warn!(%error, "other replicas' commits can't be read");
                }
                // Told already.
                Err(_) => {}
            }
        }
    }

    async fn pause(&self) {
        if self.watches.count.load(Ordering::Relaxed) > 0 {
            return tokio::time::sleep(self.context.timing.tail_closely).await;
        }
        tokio::select! {
            () = tokio::time::sleep(self.context.timing.tail_idly) => {}
            () = self.watches.first.notified() => {}
        }
    }

    /// Reads what is new, and counts `gap` as silence for the lanes that have nothing new.
    pub(crate) async fn look(&mut self, gap: Duration) -> Result<(), ReadError> {
        loop {
            let rows = self.source.newer(&self.known, COMMITS_A_LOOK).await?;
            let count = rows.len();
            if count > 0 {
                self.context.feed.tell();
            }
            rows.into_iter().for_each(|row| self.take(row));
            if count < COMMITS_A_LOOK as usize {
                break;
            }
        }
        self.count_silence(gap).await
    }

    fn take(&mut self, row: LogRow) {
        let LaneHead { lane, no, clock } = row.head;
        self.silences.insert(lane, Duration::ZERO);
        match self.known.open.iter_mut().find(|head| head.lane == lane) {
            Some(head) => {
                if no != head.no.next() {
                    // Rows that we had not read have gone: nobody can tell which matches they changed.
                    self.context.status.reset();
                }
                *head = row.head;
            }
            None => self.known.open.push(row.head),
        }
        match commit_log::heads(row.body) {
            Some((Purpose::Closing, _)) => self.forget(lane),
            Some((Purpose::Asking, _)) => self.context.feed.asked_by_another(clock),
            Some((_, heads)) => heads.into_iter().for_each(|(match_id, head)| {
                // Nobody listens: nobody has anything cached.
                drop(self.context.commits.send(OthersCommit { match_id, head }));
            }),
            None => {
                tracing::error!(lane = lane.0, no = no.0, "a commit of another replica can't be read");
                self.context.status.reset();
            }
        }
    }

    fn forget(&mut self, lane: Lane) {
        self.known.open.retain(|head| head.lane != lane);
        self.silences.remove(&lane);
        self.known.closed.push(lane);
        if self.known.closed.len() > CLOSED_REMEMBERED {
            self.known.closed.sort_unstable();
            let oldest = self.known.closed.remove(0);
            self.known.first_new = self.known.first_new.max(Lane(oldest.0 + 1));
        }
    }

    async fn count_silence(&mut self, gap: Duration) -> Result<(), ReadError> {
        for head in self.known.open.clone() {
            let silence = self.silences.entry(head.lane).or_default();
            *silence += gap;
            if *silence >= self.context.timing.lane_silence {
                *silence = Duration::ZERO;
                self.close(head).await?;
            }
        }
        Ok(())
    }

    async fn close(&self, head: LaneHead) -> Result<(), ReadError> {
        let clock = Clock(self.context.time.now().0.max(head.clock.0 + 1));
        let body: Bytes = commit_log::encode(self.context.replica, Purpose::Closing, std::iter::empty());
        if self.source.close_lane(head, clock, &body).await? == Closed::Now {
            tracing::warn!(lane = head.lane.0, "closed the lane of a replica that was silent for too long");
        }
        Ok(())
    }
}
