//! What a caller is to a match.

use rules::{Seat, Viewer};
use wire::v1::ErrorReason;

use crate::Refusal;

/// A caller's relation to a match that it may know of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Party {
    /// A caller without a credential.
    Anonymous,
    /// The holder of a seat's token.
    Seat(Seat),
    /// The API key that created the match.
    Owner,
    /// Another API key; it sees what spectators see.
    OtherKey,
}

impl Party {
    /// Returns the caller's seat, if it holds one.
    pub(crate) fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Anonymous | Self::Owner | Self::OtherKey => None,
        }
    }

    /// Returns the caller's seat, or the refusal of a call that only a seat can make.
    pub(crate) fn require_seat(self) -> Result<Seat, Refusal> {
        self.seat().ok_or_else(|| {
            Refusal::new(
                ErrorReason::MissingToken,
                "this call requires a seat's token; send `authorization: Bearer TOKEN`",
            )
        })
    }

    /// Returns the viewer to render for. API keys see what spectators see.
    pub(crate) fn viewer(self) -> Viewer {
        self.seat().map_or(Viewer::Spectator, Viewer::Seat)
    }
}

/// Returns the refusal of a call for something that only another seat may see.
pub(crate) fn not_your_seat(what: &str) -> Refusal {
    let message = format!("{what} of a seat is visible to that seat only; send that seat's token");
    Refusal::new(ErrorReason::NotAllowed, message)
}
