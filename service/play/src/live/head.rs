//! The newest known position of a match, with everything that calls need beside it.

use std::collections::VecDeque;
use std::sync::Arc;

use event::{MatchId, Seat, Seq};
use journal::{Head, Hlc, Predecessor, StoredEvent};
use replay::{AppliedEvent, Position, ReplayError};
use rules::{Games, Viewer};

use super::checkpoints::Checkpoints;
use super::known_requests::{KnownRequest, KnownRequests};
use super::weight::Weight;
use crate::registration::{Audience, Registration};
use crate::requests::RequestHash;

/// Number of newest events kept for watchers that are up to date.
const RECENT_EVENTS: usize = 8;

/// The published head of a live match: durable, immutable and shared by all readers.
#[derive(Clone)]
pub(crate) struct LiveHead {
    pub position: Arc<Position>,
    /// The hybrid logical clock of the newest event.
    pub hlc: Hlc,
    pub registration: Registration,
    /// Number of times that the database turned out to have another history of the match. Heads with
    /// different numbers may not continue each other.
    pub history: u64,
    /// The newest events, oldest first.
    pub recent: VecDeque<Arc<AppliedEvent>>,
    requests: KnownRequests,
    checkpoints: Checkpoints,
    /// Bytes of the public parts of the log so far.
    log_bytes: u64,
}

impl LiveHead {
    /// Starts a head from a match's first event.
    pub(crate) fn start(
        games: Games,
        match_id: MatchId,
        first: &StoredEvent,
        registration: Registration,
        checkpoints: Checkpoints,
    ) -> Result<Self, ReplayError> {
        let (position, applied) = Position::start(games, match_id, &first.event)?;
        let mut head = Self::at(Arc::new(position), first.hlc, registration, checkpoints);
        head.remember(Arc::new(applied), first.request_hash.map(RequestHash));
        Ok(head)
    }

    /// Returns a head with no recent events and no known requests.
    pub(crate) fn at(
        position: Arc<Position>,
        hlc: Hlc,
        registration: Registration,
        checkpoints: Checkpoints,
    ) -> Self {
        let mut checkpoints = checkpoints;
        if position.parent().is_some() {
            checkpoints.add_first(&position);
        }
        let requests = KnownRequests::new(position.seat_count());
        let recent = VecDeque::new();
        Self { position, hlc, registration, history: 0, recent, requests, checkpoints, log_bytes: 0 }
    }

    /// Moves on to the position after events that were decided here.
    pub(crate) fn move_to(&mut self, position: Arc<Position>, hlc: Hlc) {
        self.checkpoints.add(&position);
        self.position = position;
        self.hlc = hlc;
    }

    /// Returns a position up to event `seq` from which a reader can go on; `None` if only the start will do.
    pub(super) fn checkpoint(&self, seq: Seq) -> Option<&Arc<Position>> {
        self.checkpoints.before(seq)
    }

    /// Applies the next event of the log.
    pub(crate) fn apply(&mut self, event: &StoredEvent) -> Result<Arc<AppliedEvent>, ReplayError> {
        let applied = Arc::new(Arc::make_mut(&mut self.position).apply(&event.event)?);
        self.hlc = event.hlc;
        self.checkpoints.add(&self.position);
        self.remember(Arc::clone(&applied), event.request_hash.map(RequestHash));
        Ok(applied)
    }

    /// Remembers an applied event, and the request of the call that it came from.
    pub(crate) fn remember(&mut self, applied: Arc<AppliedEvent>, request: Option<RequestHash>) {
        if let Some(hash) = request {
            self.requests.remember(&applied, hash);
        }
        self.log_bytes = self.log_bytes.saturating_add(applied.event().public.len() as u64);
        if self.recent.len() == RECENT_EVENTS {
            self.recent.pop_front();
        }
        self.recent.push_back(applied);
    }

    /// Returns a seat's accepted request with this hash, if it is remembered.
    pub(crate) fn known_request(&self, seat: Seat, hash: RequestHash) -> Option<KnownRequest> {
        self.requests.find(seat, hash)
    }

    /// Returns whether the match remembers an accepted request with this hash, of any seat.
    pub(crate) fn knows_request(&self, hash: RequestHash) -> bool {
        self.requests.contain(hash)
    }

    /// Returns the audience that sees the match as this viewer.
    pub(crate) fn audience(&self, viewer: Viewer<Seat>) -> Audience {
        self.registration.audience(viewer)
    }

    /// Returns the estimated memory of the match.
    pub(super) fn weight(&self) -> Weight {
        Weight::of(self.seq(), self.log_bytes, self.checkpoints.count())
    }

    pub(crate) fn match_id(&self) -> MatchId {
        self.position.match_id()
    }

    /// Returns the number of the newest event.
    pub(crate) fn seq(&self) -> Seq {
        self.position.seq()
    }

    /// Returns the newest event's number and hash.
    pub(crate) fn newest(&self) -> Head {
        Head { seq: self.seq(), hash: self.position.head_hash() }
    }

    /// Returns the newest event as the predecessor of the next one.
    pub(crate) fn predecessor(&self) -> Predecessor {
        Predecessor { hash: self.position.head_hash(), hlc: self.hlc }
    }

    /// Returns the number of the event that settled the current position.
    pub(crate) fn settled_seq(&self) -> Seq {
        self.position.settled_seq()
    }
}
