//! What a caller is to a match.

use event::Seat;
use rules::Viewer;
use wire::v1::ErrorReason;

use crate::Refusal;
use crate::refusal::Needed;

/// A caller's relation to a match that it may know of. A caller that sent an API key and a seat's token
/// may do what either of them permits: it sees and plays as the seat, and owns as the app.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Party {
    /// The seat whose token the caller sent.
    pub(super) seat: Option<Seat>,
    pub(super) key: KeyRelation,
}

/// The relation of a caller's API key to a match.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyRelation {
    /// The caller sent no API key.
    NoKey,
    /// The match belongs to the key's name.
    Owner,
    /// The match belongs to someone else; the key sees every match.
    Overseer,
    /// The match belongs to someone else; the key sees what spectators see.
    Other,
}

impl Party {
    /// Returns the caller's seat, if it sent the token of one.
    pub(crate) fn seat(self) -> Option<Seat> {
        self.seat
    }

    /// Returns whether the caller sent the API key that owns the match.
    pub(crate) fn is_owner(self) -> bool {
        self.key == KeyRelation::Owner
    }

    /// Refuses callers without the API key that owns the match; `what` requires it.
    pub(crate) fn require_owner(self, what: &str) -> Result<(), Refusal> {
        let message = format!("{what} requires the API key that owns the match");
        match self.key {
            KeyRelation::Owner => Ok(()),
            KeyRelation::NoKey => {
                let message = format!("{message}; send `authorization: Bearer KEY`");
                Err(Refusal::new(ErrorReason::MissingKey, message))
            }
            KeyRelation::Overseer | KeyRelation::Other => {
                let message = format!("{message}; the key that was sent is another one's, whatever its role");
                Err(Refusal::not_allowed(&[Needed::OwnerKey], message))
            }
        }
    }

    /// Returns whether the caller sent no credential.
    pub(crate) fn is_anonymous(self) -> bool {
        self.seat.is_none() && self.key == KeyRelation::NoKey
    }

    /// Returns the caller's seat, or the refusal of a call that only a seat can make.
    pub(crate) fn require_seat(self) -> Result<Seat, Refusal> {
        self.seat().ok_or_else(|| {
            Refusal::new(
                ErrorReason::MissingToken,
                "this call requires a seat's token; send `matchbook-seat-token: TOKEN`",
            )
        })
    }

    /// Returns the viewer to render for. API keys see what spectators see.
    pub(crate) fn viewer(self) -> Viewer<Seat> {
        self.seat().map_or(Viewer::Spectator, Viewer::Seat)
    }
}

/// Returns the refusal of a call for something that only another seat may see.
pub(crate) fn not_your_seat(what: &str) -> Refusal {
    let message = format!(
        "{what} of a seat is visible to that seat only; send its token as `matchbook-seat-token: TOKEN`"
    );
    Refusal::not_allowed(&[Needed::SeatToken], message)
}
