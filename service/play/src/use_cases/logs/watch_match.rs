//! `WatchMatch`: every event after a given one, each once and in order. Each watcher reads the log on its
//! own, so a slow one misses nothing and delays no other. Frames are built when the client takes them, so a
//! slow watcher holds at most one view.

use std::collections::VecDeque;
use std::sync::Arc;

use event::{Seat, Seq};
use journal::PageSize;
use replay::{AppliedEvent, timestamp_to_wire};
use rules::Viewer;
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use wire::v1::watch_match_response::Frame;
use wire::v1::{self as proto, ErrorReason};

use crate::live::{LiveHead, LiveMatch, LogReader, Spectating, WatchCharge};
use crate::preconditions::check_reached;
use crate::refusal::{Credential, history_changed, unknown_event};
use crate::requests::fields;
use crate::shares::NoRoom;
use crate::streams::{Produce, ShutdownSignal, Watch};
use crate::{Caller, Play, Refusal, StreamKind};

/// Events that a watcher reads at a time when it is behind, and holds while its client takes none.
const PAGE: PageSize = PageSize(16);

/// An open watch.
struct Watcher {
    play: Play,
    live: Arc<LiveMatch>,
    viewer: Viewer<Seat>,
    /// Generation of the token that the watch was opened with.
    generation: Option<u32>,
    heads: watch::Receiver<Arc<LiveHead>>,
    /// The history that the events read are of.
    history: u64,
    shutdown: ShutdownSignal,
    heartbeat: Interval,
    /// After the newest event read.
    reader: LogReader,
    /// After the newest event sent; only in a watch with views.
    sent: Option<LogReader>,
    pending: VecDeque<Pending>,
    ended: bool,
    charge: WatchCharge,
    /// Makes the journal poll more often for commits of other replicas.
    _fast_polling: journal::FastPolling,
    /// Counts the watch; only a spectator's.
    _spectating: Option<Spectating>,
}

/// A frame to build.
enum Pending {
    Start(proto::WatchStart),
    Event(Arc<AppliedEvent>),
    Heartbeat(proto::Heartbeat),
}

/// What ended a watcher's wait.
enum Wakeup {
    Shutdown,
    NewEvents,
    Heartbeat,
}

impl Play {
    /// Watches a match from an event on.
    pub async fn watch_match(
        &self,
        caller: &Caller,
        request: proto::WatchMatchRequest,
    ) -> Result<Watch, Refusal> {
        let match_id = fields::match_id(&request.match_id)?;
        let permit = self.streams.permit(StreamKind::Watch)?;
        let (live, head) = self.current_live(caller, match_id).await?;
        let viewer = self.access.party(caller, &head)?.viewer();
        let charge = self.matches.charge(caller.share_holder(), &live);
        let charge = charge.map_err(|no_room| self.streams.too_large(no_room))?;
        let seen = fields::seen_event(request.after_seq, request.after_hash.as_deref())?;
        if let Some(later) = seen.filter(|seen| seen.seq > head.seq()) {
            return Err(unknown_event(later.seq));
        }
        let after = fields::seq(request.after_seq).unwrap_or(head.seq());
        check_reached(Some(after), &head)?;
        let holder = caller.share_holder();
        let reader = match after {
            Seq(0) => LogReader::from_start(match_id),
            after => LogReader::after(self.matches.position_at(&head, after, holder).await?),
        };
        let reader = reader.on_behalf_of(holder);
        let after_hash = reader.position().map(|position| position.head_hash());
        if let Some(other) = seen.filter(|seen| Some(seen.hash) != after_hash) {
            return Err(unknown_event(other.seq));
        }
        let after_hash = after_hash.map(|hash| hash.to_vec()).unwrap_or_default();
        let start = proto::WatchStart { head_seq: head.seq().0, after_hash };
        let watcher = Watcher {
            play: self.clone(),
            charge,
            viewer,
            _spectating: (viewer == Viewer::Spectator).then(|| live.spectate()),
            generation: token_generation(viewer, &head),
            heads: live.subscribe().ok_or_else(Refusal::internal)?,
            history: head.history,
            live,
            shutdown: self.streams.shutdown_signal(),
            heartbeat: heartbeat(self.streams.heartbeat()),
            pending: VecDeque::from([Pending::Start(start)]),
            sent: request.include_view.then(|| reader.clone()),
            reader,
            ended: false,
            _fast_polling: self.journal.poll_fast(),
        };
        Ok(Watch::new(watcher, permit))
    }
}

fn heartbeat(period: std::time::Duration) -> Interval {
    let mut heartbeat = interval_at(Instant::now() + period, period);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    heartbeat
}

impl Produce for Watcher {
    type Response = proto::WatchMatchResponse;

    async fn next(&mut self) -> Option<Result<proto::WatchMatchResponse, Refusal>> {
        loop {
            if self.ended || (self.pending.is_empty() && self.has_read_the_end()) {
                return None;
            }
            let next = match self.pending.pop_front() {
                Some(pending) => self.frame(pending).map(Some),
                None => self.wait().await.map(|()| None),
            };
            match next {
                Ok(Some(response)) => return Some(Ok(response)),
                Ok(None) => {}
                Err(refusal) => {
                    self.ended = true;
                    return Some(Err(refusal));
                }
            }
        }
    }
}

impl Watcher {
    fn has_read_the_end(&self) -> bool {
        self.reader.position().is_some_and(|position| position.result().is_some())
    }

    fn frame(&mut self, pending: Pending) -> Result<proto::WatchMatchResponse, Refusal> {
        // Of the newest head: a frame that is sent after an erasure doesn't name the player.
        let audience = self.heads.borrow().audience(self.viewer);
        let mut response = proto::WatchMatchResponse {
            server_time: Some(timestamp_to_wire(self.play.now())),
            ..Default::default()
        };
        response.frame = Some(match pending {
            Pending::Start(start) => {
                // Nothing is read before the start is sent.
                response.view = self.reader.position().map(|position| audience.view(position));
                Frame::Start(start)
            }
            Pending::Event(event) => {
                if let Some(sent) = &mut self.sent {
                    let position = sent.follow(self.play.games(), &event, self.reader.position())?;
                    response.view = Some(audience.view(position));
                }
                response.clocks = event.clocks_shown();
                Frame::Event(audience.event(&event))
            }
            Pending::Heartbeat(heartbeat) => Frame::Heartbeat(heartbeat),
        });
        Ok(response)
    }

    /// Waits until there is something to send.
    async fn wait(&mut self) -> Result<(), Refusal> {
        // Checked here as well, since a watcher that is far behind reads without ever waiting.
        if self.shutdown.has_begun() {
            return Err(shutting_down());
        }
        if self.play.matches.is_overdrawn(&self.charge) {
            return Err(self.play.streams.too_large(NoRoom::InShare));
        }
        let head = Arc::clone(&self.heads.borrow_and_update());
        self.check_history(&head)?;
        if head.seq() > self.reader.seq() {
            return self.collect(&head).await;
        }
        let wakeup = tokio::select! {
            biased;
            () = self.shutdown.begun() => Wakeup::Shutdown,
            _ = self.heads.changed() => Wakeup::NewEvents,
            _ = self.heartbeat.tick() => Wakeup::Heartbeat,
        };
        match wakeup {
            Wakeup::Shutdown => Err(shutting_down()),
            Wakeup::NewEvents => Ok(()),
            Wakeup::Heartbeat => self.beat().await,
        }
    }

    /// Refuses to go on if the head does not continue the events read.
    fn check_history(&self, head: &LiveHead) -> Result<(), Refusal> {
        if head.history == self.history { Ok(()) } else { Err(history_changed()) }
    }

    /// Collects new events: from the head if it still has them, otherwise from the log, a page at a time.
    async fn collect(&mut self, head: &Arc<LiveHead>) -> Result<(), Refusal> {
        if token_generation(self.viewer, head) != self.generation {
            return Err(token_replaced());
        }
        let next = self.reader.seq().next();
        let events = if head.recent.front().is_some_and(|event| event.seq() <= next) {
            let events = head.recent.iter().filter(|event| event.seq() >= next).cloned().collect();
            self.reader = LogReader::after(Arc::clone(&head.position)).on_behalf_of(self.reader.holder());
            events
        } else {
            self.reader.read(&self.play.matches, head.seq(), PAGE).await?
        };
        if events.is_empty() {
            return Err(Refusal::internal());
        }
        self.pending.extend(events.into_iter().map(Pending::Event));
        self.heartbeat.reset();
        Ok(())
    }

    /// Adds a heartbeat. Also reads the journal, in case the notification of an event was lost.
    async fn beat(&mut self) -> Result<(), Refusal> {
        let head = match self.play.matches.current(self.live.match_id, self.reader.holder()).await {
            Ok(head) => head,
            // Nothing is lost yet; the next heartbeat reads again.
            Err(refusal) if refusal.reason == ErrorReason::Overloaded => Arc::clone(&self.heads.borrow()),
            // It was watched, so the database has lost the whole match.
            Err(refusal) if refusal.reason == ErrorReason::UnknownMatch => return Err(history_changed()),
            Err(refusal) => return Err(refusal),
        };
        self.check_history(&head)?;
        self.pending.push_back(Pending::Heartbeat(proto::Heartbeat {
            head_seq: head.seq().0,
            spectator_count: self.live.spectator_count(),
        }));
        Ok(())
    }
}

/// Returns the generation of the newest token of the viewer's seat.
fn token_generation(viewer: Viewer<Seat>, head: &LiveHead) -> Option<u32> {
    match viewer {
        Viewer::Seat(seat) => Some(head.registration.tokens[seat].generation),
        Viewer::Spectator | Viewer::Open => None,
    }
}

/// Returns the refusal of a watch whose token was replaced, so that its holder sees nothing more as the seat.
fn token_replaced() -> Refusal {
    let message = "the seat's token was replaced; watch again with the new one";
    Refusal::bad_credential(Credential::SeatToken, message)
}

fn shutting_down() -> Refusal {
    Refusal::stopping("the service is shutting down; watch again from the last seq")
}
