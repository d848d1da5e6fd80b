//! `WatchMatch`: every event after a point, each once and in order. A watcher has
//! a place of its own in the log, so a slow one reads what it missed and holds up
//! nobody.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::{Stream, stream};
use journal::RecordedTime;
use replay::{Position, timestamp_to_wire};
use rules::Viewer;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use wire::v1::watch_match_response::Frame;
use wire::v1::{self as proto, ErrorReason};

use crate::history::Walk;
use crate::limits::{LONGEST_HEARTBEAT, WATCH_PAGE};
use crate::live::{Head, LiveMatch};
use crate::{Caller, Play, Refusal, access, fields, judge};

/// The frames of one watch. It ends after the match's last event, and after the
/// first refusal.
pub struct Watch(Pin<Box<dyn Stream<Item = Result<proto::WatchMatchResponse, Refusal>> + Send>>);

impl Stream for Watch {
    type Item = Result<proto::WatchMatchResponse, Refusal>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}

/// An open watch.
struct Watcher {
    play: Play,
    live: Arc<LiveMatch>,
    viewer: Viewer,
    /// Of the token that the watch was opened with.
    generation: Option<u32>,
    published: watch::Receiver<Arc<Head>>,
    ending: watch::Receiver<bool>,
    heartbeat: Interval,
    walk: Walk,
    waiting: VecDeque<Frame>,
    ended: bool,
    /// Other replicas' commits are looked for often while somebody watches.
    _closely: journal::FastPolling,
    _place: OwnedSemaphorePermit,
}

/// What ended a watcher's wait.
enum Woken {
    Shutdown,
    News,
    Silence,
}

impl Play {
    /// Follows a match from an event on.
    pub async fn watch_match(
        &self,
        caller: &Caller,
        request: proto::WatchMatchRequest,
    ) -> Result<Watch, Refusal> {
        let match_id = fields::match_id(&request.match_id)?;
        let place = Arc::clone(&self.watches).try_acquire_owned().map_err(|_| {
            let message = "as many watches are open as this service takes; try again later";
            Refusal::new(ErrorReason::TooManyStreams, message).retry_after(self.limits.heartbeat)
        })?;
        let (live, head) = self.fresh(match_id).await?;
        let viewer = access::party(&self.keys, caller, &head)?.viewer();
        let after = request.after_seq.unwrap_or(head.seq());
        judge::check_min(Some(after), &head)?;
        let walk = match after {
            0 => Walk::from_start(match_id),
            after => Walk::from(self.position_at(&head, after).await?),
        };
        let period = self.limits.heartbeat.min(LONGEST_HEARTBEAT);
        let mut heartbeat = interval_at(Instant::now() + period, period);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let watcher = Watcher {
            play: self.clone(),
            viewer,
            generation: generation_of(viewer, &head),
            published: live.follow().ok_or_else(Refusal::internal)?,
            live,
            ending: self.ending.subscribe(),
            heartbeat,
            waiting: VecDeque::from([self.first_frame(&head, walk.position(), viewer)]),
            walk,
            ended: false,
            _closely: self.journal.poll_fast(),
            _place: place,
        };
        Ok(Watch(Box::pin(stream::unfold(watcher, |mut watcher| async {
            watcher.next().await.map(|frame| (frame, watcher))
        }))))
    }

    fn first_frame(&self, head: &Head, position: Option<&Arc<Position>>, viewer: Viewer) -> Frame {
        Frame::Start(proto::WatchStart {
            view: position.map(|position| position.shown(viewer)),
            head_seq: head.seq(),
            server_time: Some(timestamp_to_wire(RecordedTime(self.now()))),
        })
    }
}

impl Watcher {
    async fn next(&mut self) -> Option<Result<proto::WatchMatchResponse, Refusal>> {
        loop {
            if let Some(frame) = self.waiting.pop_front() {
                return Some(Ok(proto::WatchMatchResponse { frame: Some(frame) }));
            }
            if self.ended || self.has_seen_the_end() {
                return None;
            }
            if let Err(refusal) = self.wait().await {
                self.ended = true;
                return Some(Err(refusal));
            }
        }
    }

    fn has_seen_the_end(&self) -> bool {
        self.walk.position().is_some_and(|position| position.result().is_some())
    }

    /// Waits until there is something to send.
    async fn wait(&mut self) -> Result<(), Refusal> {
        // Looked at here too: a watcher far behind would else read on and on.
        if *self.ending.borrow() {
            return Err(ending());
        }
        let head = Arc::clone(&self.published.borrow_and_update());
        if head.seq() > self.walk.seq() {
            return self.collect(&head).await;
        }
        let woken = tokio::select! {
            biased;
            _ = self.ending.wait_for(|ending| *ending) => Woken::Shutdown,
            _ = self.published.changed() => Woken::News,
            _ = self.heartbeat.tick() => Woken::Silence,
        };
        match woken {
            Woken::Shutdown => Err(ending()),
            Woken::News => Ok(()),
            Woken::Silence => self.beat().await,
        }
    }

    /// Takes what was published since: from the head if it still has it, else
    /// from the log, a page at a time.
    async fn collect(&mut self, head: &Arc<Head>) -> Result<(), Refusal> {
        if generation_of(self.viewer, head) != self.generation {
            return Err(rotated());
        }
        let next = self.walk.seq() + 1;
        let told = if head.recent.front().is_some_and(|told| told.seq().0 <= next) {
            let told = head.recent.iter().filter(|told| told.seq().0 >= next).cloned().collect();
            self.walk = Walk::from(Arc::clone(&head.position));
            told
        } else {
            self.walk.advance(&self.play, head.seq(), WATCH_PAGE).await?
        };
        if told.is_empty() {
            return Err(Refusal::internal());
        }
        self.waiting.extend(told.iter().map(|told| Frame::Event(told.shown(self.viewer))));
        self.heartbeat.reset();
        Ok(())
    }

    /// A sign of life; also looks into the journal, in case the news of an event
    /// got lost on the way.
    async fn beat(&mut self) -> Result<(), Refusal> {
        let head = match self.play.fresh(self.live.match_id).await {
            Ok((_, head)) => head,
            // Nothing was missed so far; the next beat asks again.
            Err(refusal) if refusal.reason == ErrorReason::Overloaded => Arc::clone(&self.published.borrow()),
            Err(refusal) => return Err(refusal),
        };
        self.waiting.push_back(Frame::Heartbeat(proto::Heartbeat {
            head_seq: head.seq(),
            server_time: Some(timestamp_to_wire(RecordedTime(self.play.now()))),
        }));
        Ok(())
    }
}

/// How many tokens the viewer's seat has had.
fn generation_of(viewer: Viewer, head: &Head) -> Option<u32> {
    match viewer {
        Viewer::Seat(seat) => Some(head.registration.tokens[seat].generation),
        Viewer::Spectator | Viewer::Open => None,
    }
}

/// Whoever still has the old token sees nothing more with the seat's eyes.
fn rotated() -> Refusal {
    Refusal::new(ErrorReason::BadToken, "the seat has a new token; watch again with it")
}

fn ending() -> Refusal {
    Refusal::stopping("the service is stopping; watch again from the last seq")
}
