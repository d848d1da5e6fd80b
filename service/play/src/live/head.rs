//! The newest known position of a match, with what calls on it need at once.

use std::collections::VecDeque;
use std::sync::Arc;

use journal::{Hlc, MatchId, StoredEvent};
use replay::{Entry, Position, ReplayError, Told};
use rules::{BySeat, Seat};

use crate::limits::{RECENT_EVENTS, REMEMBERED_REQUESTS};
use crate::stored::Registration;

/// A published state: durable, immutable, shared by all who read it.
#[derive(Clone)]
pub(crate) struct Head {
    pub position: Arc<Position>,
    /// The journal's clock of the newest event.
    pub hlc: Hlc,
    pub registration: Registration,
    /// The newest events, for watchers that keep up.
    pub recent: VecDeque<Arc<Told>>,
    /// Shared with the heads before and after: a call changes one seat's only.
    requests: BySeat<Arc<VecDeque<Request>>>,
    claims: BySeat<Option<Request>>,
    rotations: BySeat<Arc<VecDeque<Request>>>,
}

/// A call that was accepted.
#[derive(Clone, Copy)]
pub(crate) struct Request {
    pub hash: [u8; 32],
    /// Its first event.
    pub seq: u32,
}

impl Head {
    /// Folds a match's first event.
    pub(crate) fn begin(
        match_id: MatchId,
        first: &StoredEvent,
        registration: Registration,
    ) -> Result<Self, ReplayError> {
        let (position, told) = Position::begin(match_id, &first.event)?;
        let mut head = Self::at(Arc::new(position), first.hlc, registration);
        head.remember(Arc::new(told), first.request_hash);
        Ok(head)
    }

    /// A head without any history.
    pub(crate) fn at(position: Arc<Position>, hlc: Hlc, registration: Registration) -> Self {
        Self {
            position,
            hlc,
            registration,
            recent: VecDeque::new(),
            requests: BySeat::default(),
            claims: BySeat::default(),
            rotations: BySeat::default(),
        }
    }

    /// Folds an event that somebody else appended, or that is read again.
    pub(crate) fn apply(&mut self, event: &StoredEvent) -> Result<Arc<Told>, ReplayError> {
        let told = Arc::new(Arc::make_mut(&mut self.position).apply(&event.event)?);
        self.hlc = event.hlc;
        self.remember(Arc::clone(&told), event.request_hash);
        Ok(told)
    }

    /// Keeps an event at hand, and the call that made it.
    pub(crate) fn remember(&mut self, told: Arc<Told>, request_hash: Option<[u8; 32]>) {
        if let Some(hash) = request_hash {
            self.remember_request(&told, hash);
        }
        if self.recent.len() == RECENT_EVENTS {
            self.recent.pop_front();
        }
        self.recent.push_back(told);
    }

    fn remember_request(&mut self, told: &Told, hash: [u8; 32]) {
        let request = Request { hash, seq: told.seq().0 };
        let Some(seat) = told.entry().seat() else { return };
        match told.entry() {
            Entry::SeatClaimed(_) => self.claims[seat] = Some(request),
            // Apart from the seat's own calls: the owner may make it for the seat.
            Entry::SeatTokenRotated(_) => keep(&mut self.rotations[seat], request),
            _ => keep(&mut self.requests[seat], request),
        }
    }

    /// The first event of a seat's earlier call with this id, if it is remembered.
    pub(crate) fn known_request(&self, seat: Seat, hash: &[u8; 32]) -> Option<u32> {
        let requests =
            self.requests[seat].iter().chain(&self.claims[seat]).chain(self.rotations[seat].iter());
        requests.rev().find(|request| request.hash == *hash).map(|request| request.seq)
    }

    /// The event of the claim of a seat, if the call with this id made it.
    pub(crate) fn known_claim(&self, seat: Seat, hash: &[u8; 32]) -> Option<u32> {
        self.claims[seat].filter(|request| request.hash == *hash).map(|request| request.seq)
    }

    /// The event of a seat's new token that the call with this id asked for.
    pub(crate) fn known_rotation(&self, seat: Seat, hash: &[u8; 32]) -> Option<u32> {
        self.rotations[seat].iter().rev().find(|request| request.hash == *hash).map(|request| request.seq)
    }

    /// The newest event's number.
    pub(crate) fn seq(&self) -> u32 {
        self.position.seq().0
    }
}

/// Remembers a call; the oldest one makes room.
fn keep(known: &mut Arc<VecDeque<Request>>, request: Request) {
    let known = Arc::make_mut(known);
    if known.len() == REMEMBERED_REQUESTS {
        known.pop_front();
    }
    known.push_back(request);
}
