//! `StreamFeed`: the events of all matches that the caller may read, in the journal's one order, from any
//! cursor on. The service keeps nothing for a reader, so it may be as slow as it likes.

use std::collections::VecDeque;
use std::time::Duration;

use journal::{FeedCursor, FeedEnd, FeedItem, FeedPage, FeedQuery, PageSize, ReadError, Scope, StoredEvent};
use replay::{log_event_to_wire, timestamp_to_wire};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use wire::v1::stream_feed_response::Frame;
use wire::v1::{self as proto, ErrorReason};

use crate::access::AccessControl;
use crate::refusal::{feed_history_changed, of_read_error};
use crate::streams::{Feed, Produce, ShutdownSignal};
use crate::{Caller, Play, Refusal, StreamKind};

/// Events read at a time.
const PAGE: u32 = 100;

/// An open feed.
struct FeedReader {
    play: Play,
    /// What remains to be read.
    query: FeedQuery,
    /// Whether to wait for new events once caught up.
    follow: bool,
    state: ReaderState,
    shutdown: ShutdownSignal,
    /// Changes whenever the journal may lead to another history.
    invalidations: watch::Receiver<u64>,
    heartbeat: Duration,
    /// When the feed has been silent for long enough to send a heartbeat.
    next_heartbeat: Instant,
    /// Whether a heartbeat has reported that the reader caught up. The first one is sent at once.
    reported_caught_up: bool,
    pending: VecDeque<proto::StreamFeedResponse>,
    /// Makes the journal poll more often for commits of other replicas.
    _fast_polling: journal::FastPolling,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReaderState {
    Reading,
    Waiting,
    Ended,
}

impl Play {
    /// Streams the feed from a cursor on.
    pub async fn stream_feed(
        &self,
        caller: &Caller,
        request: proto::StreamFeedRequest,
    ) -> Result<Feed, Refusal> {
        let scope = readable(&self.access, caller)?;
        let after = self.streams.cursors.decode(&request.after)?;
        let permit = self.streams.permit(StreamKind::Feed)?;
        let invalidations = self.journal.invalidations();
        let horizon = self.journal.feed_horizon().await.map_err(of_read_error)?;
        if let Some(complete_after) = horizon.filter(|horizon| after < Some(*horizon)) {
            return Err(self.of_feed_error(ReadError::CursorTooOld { complete_after }));
        }
        if let Some(after) = after
            && !self.has_event_of(after).await?
        {
            return Err(unknown_cursor());
        }
        let heartbeat = self.streams.heartbeat();
        let reader = FeedReader {
            play: self.clone(),
            query: FeedQuery { after, ..FeedQuery::new(scope, PAGE) },
            follow: request.follow.unwrap_or(true),
            state: ReaderState::Reading,
            shutdown: self.streams.shutdown_signal(),
            invalidations,
            heartbeat,
            next_heartbeat: Instant::now() + heartbeat,
            reported_caught_up: false,
            pending: VecDeque::new(),
            _fast_polling: self.journal.poll_fast(),
        };
        Ok(Feed::new(reader, permit))
    }

    /// Returns whether the log has a cursor's event. Cursors exist for events only; without its event the
    /// database is not the one that the reader has read, and going on would skip what replaced those events.
    async fn has_event_of(&self, cursor: FeedCursor) -> Result<bool, Refusal> {
        // What was archived is not lost, and the database vouches for its end.
        if self.journal.feed_horizon().await.map_err(of_read_error)? == Some(cursor) {
            return Ok(true);
        }
        let before = cursor.seq().previous();
        let events =
            self.journal.events(cursor.match_id(), before, PageSize(1)).await.map_err(of_read_error)?;
        let is_its = |event: &StoredEvent| event.event.seq == cursor.seq() && event.hlc == cursor.hlc();
        Ok(events.first().is_some_and(is_its))
    }
}

impl Play {
    /// Returns the refusal for a failed read of the feed, with the cursor to go on from if there is one.
    fn of_feed_error(&self, error: ReadError) -> Refusal {
        let cursor = match &error {
            ReadError::CursorTooOld { complete_after } => Some(self.streams.cursors.encode(*complete_after)),
            _ => None,
        };
        let refusal = of_read_error(error);
        match cursor {
            Some(cursor) => refusal.with("cursor", cursor),
            None => refusal,
        }
    }
}

/// Returns the matches whose events the caller may read. Without API keys there is no owner and no auditor,
/// and the feed has the matches that the directory lists.
fn readable(access: &AccessControl, caller: &Caller) -> Result<Scope, Refusal> {
    match access.key(caller)? {
        Some(key) if key.sees_every_match() => Ok(Scope::Everything),
        Some(key) => Ok(Scope::OwnedBy(key.name.clone())),
        None if access.is_open() => Ok(Scope::Public),
        None => Err(Refusal::new(
            ErrorReason::MissingKey,
            "the feed requires an API key: role audit or admin for all matches, app for its own; send \
             `authorization: Bearer KEY`",
        )),
    }
}

impl Produce for FeedReader {
    type Response = proto::StreamFeedResponse;

    async fn next(&mut self) -> Option<Result<proto::StreamFeedResponse, Refusal>> {
        loop {
            if let Some(frame) = self.pending.pop_front() {
                return Some(Ok(frame));
            }
            let result = match self.state {
                ReaderState::Reading => self.read().await,
                ReaderState::Waiting => self.wait().await,
                ReaderState::Ended => return None,
            };
            if let Err(refusal) = result {
                self.state = ReaderState::Ended;
                return Some(Err(refusal));
            }
        }
    }
}

impl FeedReader {
    /// Reads a page.
    async fn read(&mut self) -> Result<(), Refusal> {
        let page = tokio::select! {
            biased;
            () = self.shutdown.begun() => return Err(shutting_down()),
            page = self.play.journal.feed(&self.query) => page,
        };
        let page = page.map_err(|error| self.play.of_feed_error(error))?;
        self.take(&page);
        self.add_heartbeat(page.end);
        Ok(())
    }

    fn take(&mut self, page: &FeedPage) {
        self.query.after = page.next;
        if !self.follow {
            self.query.until.get_or_insert(page.newest);
        }
        for event in &page.events {
            let cursor = self.play.streams.cursors.encode(event.cursor);
            self.pending.push_back(event_frame(event, cursor));
        }
        self.state = match page.end {
            FeedEnd::Full => ReaderState::Reading,
            FeedEnd::CaughtUp if !self.follow => ReaderState::Ended,
            FeedEnd::CaughtUp | FeedEnd::HeldBack => ReaderState::Waiting,
        };
    }

    /// Adds a heartbeat if one is due: after a silence, on first catching up, and at the end.
    fn add_heartbeat(&mut self, end: FeedEnd) {
        let now = Instant::now();
        let caught_up = end == FeedEnd::CaughtUp;
        let silent = self.pending.is_empty() && self.next_heartbeat <= now;
        if silent || self.state == ReaderState::Ended || (caught_up && !self.reported_caught_up) {
            let cursors = &self.play.streams.cursors;
            self.pending.push_back(proto::StreamFeedResponse {
                cursor: self.query.after.map(|cursor| cursors.encode(cursor)).unwrap_or_default(),
                frame: Some(Frame::Heartbeat(proto::FeedHeartbeat {
                    caught_up,
                    server_time: Some(timestamp_to_wire(self.play.now())),
                })),
            });
        }
        if !self.pending.is_empty() {
            self.next_heartbeat = now + self.heartbeat;
        }
        self.reported_caught_up |= caught_up;
    }

    /// Refuses to go on if the database has lost the last event read.
    async fn check_history(&self) -> Result<(), Refusal> {
        match self.query.after {
            Some(after) if !self.play.has_event_of(after).await? => Err(feed_history_changed()),
            _ => Ok(()),
        }
    }

    /// Waits until there are new events, or a heartbeat is due.
    async fn wait(&mut self) -> Result<(), Refusal> {
        tokio::select! {
            biased;
            () = self.shutdown.begun() => return Err(shutting_down()),
            _ = self.invalidations.changed() => self.check_history().await?,
            new_events = self.play.journal.wait_for_feed(self.query.after) => {
                new_events.map_err(of_read_error)?;
            }
            () = sleep_until(self.next_heartbeat) => {}
        }
        self.state = ReaderState::Reading;
        Ok(())
    }
}

/// Returns the refusal of a cursor whose event the log does not have.
fn unknown_cursor() -> Refusal {
    Refusal::field(
        "after",
        "the cursor's event is missing from this database, which may be an older copy; read the feed from \
         the beginning and compare",
    )
}

fn shutting_down() -> Refusal {
    Refusal::stopping("the service is shutting down; resume from the last cursor")
}

/// Returns the frame of an event. The feed opens no sealed part.
fn event_frame(item: &FeedItem, cursor: String) -> proto::StreamFeedResponse {
    let event = log_event_to_wire(&item.event.redacted());
    let event = proto::FeedEvent { match_id: item.cursor.match_id().to_string(), event: Some(event) };
    proto::StreamFeedResponse { cursor, frame: Some(Frame::Event(event)) }
}
