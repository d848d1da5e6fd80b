//! Changes of a match: a command is judged under the match's lock, its events are appended, and only then is
//! it answered and published. A caller may cancel its call until the append begins, but not the append. A
//! retry is answered without the lock.

mod append;
mod call;
mod detached;
mod match_lock;
mod permits;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use event::{RecordTime, Seat};
use journal::{Head, PlayerRow};
use replay::{AppliedEvent, Decided, Decision, Position};
use rules::Viewer;

use crate::Refusal;
use crate::access::SeatToken;
use crate::live::LiveHead;
use crate::registration::{Audience, Registration};
use crate::requests::RequestHash;

pub(crate) use append::{identifies_request, new_events};
pub(crate) use call::{Call, end_if_overdue};
pub(crate) use permits::ChangePermits;

/// New events of a match, and what changes with them.
pub(crate) struct MatchChange {
    decided: Decided,
    request: Option<RequestHash>,
    registration: Registration,
    /// Whether the match's row in the directory changes as well.
    row_changes: bool,
}

/// Why judging a command produced no change of its own.
pub(crate) enum Halt {
    /// The call was accepted before; `first` is its first event.
    Repeated { first: Head },
    /// The match's time ran out before the call arrived. Append the end, then judge again.
    Overdue(Box<MatchChange>),
    /// The command is refused.
    Refused(Refusal),
}

/// What judging a command on a head returns.
pub(crate) type Judgment = Result<Box<MatchChange>, Halt>;

/// The result of an accepted call, whether it took effect now or earlier.
pub(crate) struct Accepted {
    pub position: Arc<Position>,
    /// What the match's log does not hold.
    pub registration: Registration,
    pub events: Vec<Arc<AppliedEvent>>,
    /// Whether the call took effect earlier.
    pub repeated: bool,
}

impl MatchChange {
    /// Returns the change that a decision makes. The match's row changes if the match ends.
    pub(crate) fn new(decision: Decision, head: &LiveHead, request: Option<RequestHash>) -> Self {
        let decided = decision.finish().without_players();
        Self {
            row_changes: decided.position.result().is_some(),
            decided,
            request,
            registration: head.registration.clone(),
        }
    }

    /// Adds the first token and the player of a seat that is claimed.
    #[must_use]
    pub(crate) fn with_claim(mut self, seat: Seat, token: SeatToken, player: PlayerRow) -> Self {
        self.registration.set_player(seat, Some(player));
        self.with_token(seat, token)
    }

    /// Adds a seat's new token, which the match's row holds the hash of.
    #[must_use]
    pub(crate) fn with_token(mut self, seat: Seat, token: SeatToken) -> Self {
        self.registration.tokens[seat] = token;
        self.row_changes = true;
        self
    }
}

impl Accepted {
    /// Returns the audience that sees the match as this viewer.
    pub(crate) fn audience(&self, viewer: Viewer<Seat>) -> Audience {
        self.registration.audience(viewer)
    }
}

impl From<Refusal> for Halt {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Starts a decision on a head.
pub(crate) fn decide(head: &LiveHead, arrival: RecordTime) -> Decision {
    Decision::on(&head.position, arrival)
}
