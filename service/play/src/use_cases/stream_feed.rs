//! `StreamFeed`: the events of all matches that the caller may read, in the journal's one order, from any place on. A
//! reader has a place of its own and nothing is kept for it, so it may be as slow as it likes.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::{Stream, stream};
use journal::{FeedCursor, FeedEnd, FeedQuery, PageSize, RecordedTime, Scope, Seq};
use replay::{feed_frame, timestamp_to_wire};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Instant, sleep_until};
use wire::v1::stream_feed_response::Frame;
use wire::v1::{self as proto, ErrorReason};

use crate::access::{self, Credential};
use crate::limits::{FEED_PAGE, LONGEST_HEARTBEAT};
use crate::live::catch_up;
use crate::{ApiKey, Caller, KeyRing, Play, Refusal, Role};

/// The frames of one reading. It ends after the first refusal, and, if it was not to
/// follow, with a heartbeat once everything is told.
pub struct Feed(Pin<Box<dyn Stream<Item = Result<proto::StreamFeedResponse, Refusal>> + Send>>);

impl Stream for Feed {
    type Item = Result<proto::StreamFeedResponse, Refusal>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}

/// An open feed.
struct Reader {
    play: Play,
    /// What is still to be read.
    query: FeedQuery,
    stay: Stay,
    phase: Phase,
    ending: watch::Receiver<bool>,
    period: Duration,
    /// When the silence has lasted long enough for a heartbeat.
    beat_at: Instant,
    /// The first time is told at once.
    has_caught_up: bool,
    waiting: VecDeque<proto::StreamFeedResponse>,
    /// Other replicas' commits are looked for often while somebody reads.
    _closely: journal::FastPolling,
    _place: OwnedSemaphorePermit,
}

/// What a reader does once it has caught up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stay {
    Follows,
    Leaves,
}

/// What a reader does next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Reads,
    Waits,
    IsOver,
}

impl Play {
    /// Reads the feed from a place on.
    pub async fn stream_feed(
        &self,
        caller: &Caller,
        request: proto::StreamFeedRequest,
    ) -> Result<Feed, Refusal> {
        let scope = scope(&self.keys, caller)?;
        let after = self.cursors.read(&request.after)?;
        let place = Arc::clone(&self.watches).try_acquire_owned().map_err(|_| {
            let message = "as many streams are open as this service takes; try again later";
            Refusal::new(ErrorReason::TooManyStreams, message).retry_after(self.limits.heartbeat)
        })?;
        if let Some(after) = after {
            self.check_place(after).await?;
        }
        let period = self.limits.heartbeat.min(LONGEST_HEARTBEAT);
        let reader = Reader {
            play: self.clone(),
            query: FeedQuery { after, ..FeedQuery::new(scope, FEED_PAGE) },
            stay: if request.follow.unwrap_or(true) { Stay::Follows } else { Stay::Leaves },
            phase: Phase::Reads,
            ending: self.ending.subscribe(),
            period,
            beat_at: Instant::now() + period,
            has_caught_up: false,
            waiting: VecDeque::new(),
            _closely: self.journal.poll_fast(),
            _place: place,
        };
        Ok(Feed(Box::pin(stream::unfold(reader, |mut reader| async {
            reader.next().await.map(|frame| (frame, reader))
        }))))
    }

    /// A cursor is only given for an event. If the log does not have it any more, the
    /// database is not the one that the reader has read, and going on would skip what
    /// has come instead.
    async fn check_place(&self, after: FeedCursor) -> Result<(), Refusal> {
        let before = Seq(after.seq().0 - 1);
        let events = self
            .journal
            .events(after.match_id(), before, PageSize(1))
            .await
            .map_err(catch_up::read_failed)?;
        if events.first().is_some_and(|event| event.event.seq == after.seq() && event.hlc == after.hlc()) {
            return Ok(());
        }
        let problem = "is a place that this log does not have: its database is an older copy; read again from the \
                       beginning and compare";
        Err(Refusal::field("after", problem))
    }
}

/// Which matches' events the caller gets. Without keys nobody can own or audit, and the feed has what the directory
/// lists.
fn scope(keys: &KeyRing, caller: &Caller) -> Result<Scope, Refusal> {
    match access::credential(keys, caller)? {
        Credential::Key(ApiKey { role: Role::Audit | Role::Admin, .. }) => Ok(Scope::Everything),
        Credential::Key(ApiKey { role: Role::App, name, .. }) => Ok(Scope::OwnedBy(name.clone())),
        Credential::None | Credential::SeatToken(_) if keys.is_open() => Ok(Scope::Public),
        Credential::None | Credential::SeatToken(_) => Err(Refusal::new(
            ErrorReason::MissingKey,
            "the feed needs an API key as metadata, `authorization: Bearer KEY`: of the role audit or admin for all \
             matches, an app's for its own",
        )),
    }
}

impl Reader {
    async fn next(&mut self) -> Option<Result<proto::StreamFeedResponse, Refusal>> {
        loop {
            if let Some(frame) = self.waiting.pop_front() {
                return Some(Ok(frame));
            }
            let done = match self.phase {
                Phase::Reads => self.read().await,
                Phase::Waits => self.wait().await,
                Phase::IsOver => return None,
            };
            if let Err(refusal) = done {
                self.phase = Phase::IsOver;
                return Some(Err(refusal));
            }
        }
    }

    /// Reads a page.
    async fn read(&mut self) -> Result<(), Refusal> {
        let page = tokio::select! {
            biased;
            _ = self.ending.wait_for(|ending| *ending) => return Err(ending()),
            page = self.play.journal.feed(&self.query) => page.map_err(catch_up::read_failed)?,
        };
        self.query.after = page.next;
        if self.stay == Stay::Leaves {
            self.query.until.get_or_insert(page.newest);
        }
        for event in &page.events {
            let cursor = self.play.cursors.write(event.cursor);
            self.waiting.push_back(feed_frame(event.cursor.match_id(), &event.event, cursor));
        }
        self.phase = match (page.end, self.stay) {
            (FeedEnd::Full, _) => Phase::Reads,
            (FeedEnd::CaughtUp, Stay::Leaves) => Phase::IsOver,
            (FeedEnd::CaughtUp | FeedEnd::HeldBack, _) => Phase::Waits,
        };
        self.beat(page.end);
        Ok(())
    }

    /// Adds a sign of life if one is due: at the end of what there is, or after a silence.
    fn beat(&mut self, end: FeedEnd) {
        let now = Instant::now();
        let caught_up = end == FeedEnd::CaughtUp;
        let silent = self.waiting.is_empty() && self.beat_at <= now;
        if silent || self.phase == Phase::IsOver || (caught_up && !self.has_caught_up) {
            self.waiting.push_back(proto::StreamFeedResponse {
                cursor: self.query.after.map(|place| self.play.cursors.write(place)).unwrap_or_default(),
                frame: Some(Frame::Heartbeat(proto::FeedHeartbeat {
                    caught_up,
                    server_time: Some(timestamp_to_wire(RecordedTime(self.play.now()))),
                })),
            });
        }
        if !self.waiting.is_empty() {
            self.beat_at = now + self.period;
        }
        self.has_caught_up |= caught_up;
    }

    /// Waits until there is something to read, or to say.
    async fn wait(&mut self) -> Result<(), Refusal> {
        tokio::select! {
            biased;
            _ = self.ending.wait_for(|ending| *ending) => return Err(ending()),
            news = self.play.journal.wait_for_feed(self.query.after) => news.map_err(catch_up::read_failed)?,
            () = sleep_until(self.beat_at) => {}
        }
        self.phase = Phase::Reads;
        Ok(())
    }
}

fn ending() -> Refusal {
    Refusal::stopping("the service is stopping; read on from the last cursor")
}
