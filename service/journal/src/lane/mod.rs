//! A lane: the one task through which a stream of appends reaches the database, in batches, one at a time.
//!
//! `queue` bounds what waits, `collect` picks the next batch, `settle` brings it to an end whatever the database
//! answers, `link` is the connection and finds out after a loss whether the world is still the same.

mod collect;
mod link;
mod queue;
mod recover;
#[cfg(test)]
pub(crate) mod samples;
mod settle;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::watch;

use self::collect::Collected;
use self::link::Link;
use self::queue::QueueReceiver;
use crate::batch::{Batch, Place};
use crate::commit_log::{self, Purpose};
use crate::context::{Context, Rivals};
use crate::feed::Wanted;
use crate::request::Request;
use crate::status::{PanicAlarm, StopReason};
use crate::store::{Opening, WriteError};
use crate::{Clock, Lane, LaneNo};

pub(crate) use self::queue::QueueSender;

/// Which requests a lane takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// As many as fit in a batch.
    Writer,
    /// One a batch: those of matches that others write too.
    Solo,
}

impl Role {
    /// Its word for those who measure.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Role::Writer => "writer",
            Role::Solo => "solo",
        }
    }
}

/// The task's state.
pub(crate) struct LaneTask {
    context: Arc<Context>,
    role: Role,
    link: Link,
    lane: Lane,
    acknowledged: Acknowledged,
    queue: QueueReceiver,
    /// A request that was taken from the queue for the next batch.
    held: Option<Request>,
    /// Until then each batch's predecessors are looked up, since a reconnect may have led to another history.
    wary_until: Option<Instant>,
    written: Instant,
    /// What waiting readers of the feed want of this lane.
    wanted: watch::Receiver<Wanted>,
    /// What was asked of other replicas already.
    asked: Clock,
}

/// The last commit that the database acknowledged.
struct Acknowledged {
    no: LaneNo,
    /// The next one's is larger.
    clock: Clock,
    body: Bytes,
}

impl LaneTask {
    /// Connects and opens a new lane.
    pub(crate) async fn open(
        context: Arc<Context>,
        role: Role,
    ) -> Result<(LaneTask, QueueSender), WriteError> {
        let (sender, queue) = queue::bounded(context.limits);
        let mut link = Link::new(context.store.clone(), context.timing.write_within);
        let clock = Clock(context.time.now().0);
        let body = commit_log::encode(context.replica, Purpose::Opening, std::iter::empty());
        let lane = link.open_lane(&Opening { replica: context.replica, clock, body: body.clone() }).await?;
        // Asked after everybody can see the lane: readers of the feed who did not see it came no further than this.
        let clock = clock.max(link.latest_clock().await?);
        let acknowledged = Acknowledged { no: LaneNo(1), clock, body };
        let wanted = context.feed.wanted();
        let task = LaneTask {
            context,
            role,
            link,
            lane,
            acknowledged,
            queue,
            held: None,
            wary_until: None,
            written: Instant::now(),
            wanted,
            asked: Clock(0),
        };
        Ok((task, sender))
    }

    /// Works until the journal closes or must stop.
    pub(crate) async fn run(mut self) {
        let _alarm = PanicAlarm(self.context.clone());
        if let Err(reason) = self.work().await {
            self.context.status.stop(reason);
        }
        // Dropping the queue answers whoever still waits in it.
    }

    async fn work(&mut self) -> Result<(), StopReason> {
        let mut stopped = self.context.status.stopped();
        loop {
            self.answer_readers().await?;
            let collected = tokio::select! {
                biased;
                // The other lane has met a reason to stop.
                _ = stopped.wait_for(Option::is_some) => return Ok(()),
                collected = self.collect() => collected,
            };
            match collected {
                Collected::Requests { requests, overtaken } => {
                    self.settle(requests).await?;
                    // Only now are those events there that they lost against.
                    overtaken
                        .into_iter()
                        .for_each(|request| request.answer(Err(crate::AppendError::Conflict)));
                }
                Collected::Silence => self.settle_empty(Purpose::KeepAlive, None).await?,
                Collected::Wanted => {}
                Collected::End => return self.settle_empty(Purpose::Closing, None).await,
            }
        }
    }

    /// Comes as far as readers of the feed want, and asks other replicas to do the same.
    async fn answer_readers(&mut self) -> Result<(), StopReason> {
        let Wanted { own, others } = *self.wanted.borrow_and_update();
        if self.role == Role::Writer && others > self.asked {
            self.asked = others;
            return self.settle_empty(Purpose::Asking, Some(others)).await;
        }
        if own > self.acknowledged.clock {
            return self.settle_empty(Purpose::KeepAlive, Some(own)).await;
        }
        Ok(())
    }

    /// The next place in the lane, for a batch that follows these clocks.
    fn next_place(&self, after: Option<Clock>) -> Place {
        let now = Clock(self.context.time.now().0);
        let follows = self.acknowledged.clock.max(after.unwrap_or_default());
        Place {
            replica: self.context.replica,
            lane: self.lane,
            no: self.acknowledged.no.next(),
            clock: now.max(Clock(follows.0 + 1)),
        }
    }

    fn acknowledge(&mut self, batch: &Batch) {
        self.acknowledged = Acknowledged { no: batch.no, clock: batch.clock, body: batch.body.clone() };
        self.written = Instant::now();
    }

    /// How long the lane may yet say nothing.
    fn silence_left(&self) -> Option<Duration> {
        match self.context.rivals {
            Rivals::Possible => Some(self.context.timing.keep_alive.saturating_sub(self.written.elapsed())),
            Rivals::Excluded => None,
        }
    }
}
