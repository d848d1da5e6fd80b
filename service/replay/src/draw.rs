//! Draw offers. A seat may make one between two of its moves (G-4).

use rules::{BySeat, Seat};

/// The draw offers of both seats.
#[derive(Clone, Copy, Default)]
pub(crate) struct DrawOffers(BySeat<Offer>);

/// The state of a seat's offer since its last move.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Offer {
    /// None since then.
    #[default]
    None,
    /// Waiting for the other seat's answer.
    Pending,
    /// Declined.
    Declined,
}

impl DrawOffers {
    /// Returns the seat with a pending offer. At most one seat has one.
    pub(crate) fn pending(&self) -> Option<Seat> {
        Seat::ALL.into_iter().find(|&seat| self.0[seat] == Offer::Pending)
    }

    /// Returns whether the seat may offer a draw: not twice between its moves, and not when it could accept.
    pub(crate) fn may_offer(&self, seat: Seat) -> bool {
        self.0[seat] == Offer::None && self.pending().is_none()
    }

    pub(crate) fn offer(&mut self, seat: Seat) {
        self.0[seat] = Offer::Pending;
    }

    /// Declines the other seat's offer.
    pub(crate) fn decline(&mut self, seat: Seat) {
        self.0[seat.other()] = Offer::Declined;
    }

    /// Withdraws a seat's offer because it moved, and lets it offer again.
    pub(crate) fn reset(&mut self, seat: Seat) {
        self.0[seat] = Offer::None;
    }
}
