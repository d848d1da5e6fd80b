//! Requests that a match has accepted, by which a retried call is recognized.

use std::collections::VecDeque;
use std::sync::Arc;

use event::{BySeat, Seat};
use journal::Head;
use replay::{AppliedEvent, Entry, acting_seat};

use crate::requests::RequestHash;

/// Number of calls remembered per seat and list.
const REMEMBERED: usize = 32;

/// The requests that a match has accepted, by seat.
#[derive(Clone)]
pub(super) struct KnownRequests(BySeat<SeatRequests>);

/// The accepted requests of one seat. The lists are shared between successive heads, since a call changes
/// only one.
#[derive(Clone, Default)]
struct SeatRequests {
    /// Never forgotten.
    claim: Option<KnownRequest>,
    /// Separate from the seat's own calls, since the owner may rotate the token for the seat.
    rotations: Arc<VecDeque<KnownRequest>>,
    actions: Arc<VecDeque<KnownRequest>>,
}

/// An accepted request.
#[derive(Clone, Copy)]
pub(crate) struct KnownRequest {
    hash: RequestHash,
    pub kind: RequestKind,
    /// The call's first event.
    pub first: Head,
}

/// The kind of call that a request made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestKind {
    Claim,
    Rotation,
    /// A move, a proposal or any other action of the seat.
    Action,
}

impl KnownRequests {
    /// Remembers nothing yet of a match with this many seats.
    pub(super) fn new(seats: usize) -> Self {
        Self(BySeat::from_fn(seats, |_| SeatRequests::default()))
    }

    /// Remembers the call that an event came from.
    pub(super) fn remember(&mut self, applied: &AppliedEvent, hash: RequestHash) {
        let Some(seat) = acting_seat(applied.entry()) else { return };
        let requests = &mut self.0[seat];
        let first = Head { seq: applied.seq(), hash: applied.event().hash };
        let known = |kind| KnownRequest { hash, kind, first };
        match applied.entry() {
            Entry::SeatClaimed(_) => requests.claim = Some(known(RequestKind::Claim)),
            Entry::SeatTokenRotated(_) => push(&mut requests.rotations, known(RequestKind::Rotation)),
            _ => push(&mut requests.actions, known(RequestKind::Action)),
        }
    }

    /// Returns whether a request of any seat with this hash is remembered.
    pub(super) fn contain(&self, hash: RequestHash) -> bool {
        self.0.iter().any(|(seat, _)| self.find(seat, hash).is_some())
    }

    /// Returns a seat's accepted request with this hash, if it is remembered.
    pub(super) fn find(&self, seat: Seat, hash: RequestHash) -> Option<KnownRequest> {
        let SeatRequests { claim, rotations, actions } = &self.0[seat];
        // One list after the other: a chain of the lists takes several times as long.
        let is_wanted = |request: &&KnownRequest| request.hash == hash;
        let found = rotations.iter().rev().find(is_wanted).or(claim.as_ref().filter(is_wanted));
        found.or_else(|| actions.iter().rev().find(is_wanted)).copied()
    }
}

/// Remembers a request in place of the oldest one.
fn push(requests: &mut Arc<VecDeque<KnownRequest>>, request: KnownRequest) {
    let requests = Arc::make_mut(requests);
    if requests.len() == REMEMBERED {
        requests.pop_front();
    }
    requests.push_back(request);
}
