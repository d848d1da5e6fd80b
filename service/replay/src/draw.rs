//! Offers of a draw: one a seat between its own moves (G-4).

use rules::{BySeat, Seat};

/// The offers of both seats.
#[derive(Clone, Copy, Default)]
pub(crate) struct DrawOffers(BySeat<Offer>);

/// What became of a seat's offer since its last move.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Offer {
    /// It has made none.
    #[default]
    None,
    /// It waits for the other seat's answer.
    Standing,
    /// It was declined.
    Spent,
}

impl DrawOffers {
    /// The seat whose offer stands; never both at once.
    pub(crate) fn standing(&self) -> Option<Seat> {
        Seat::ALL.into_iter().find(|&seat| self.0[seat] == Offer::Standing)
    }

    /// Whether the seat may offer: not twice between its moves, and not where it could accept.
    pub(crate) fn may_offer(&self, seat: Seat) -> bool {
        self.0[seat] == Offer::None && self.standing().is_none()
    }

    pub(crate) fn offer(&mut self, seat: Seat) {
        self.0[seat] = Offer::Standing;
    }

    /// The other seat's offer is declined.
    pub(crate) fn decline(&mut self, seat: Seat) {
        self.0[seat.other()] = Offer::Spent;
    }

    /// A seat's move takes its offer back, and lets it offer again.
    pub(crate) fn moved(&mut self, seat: Seat) {
        self.0[seat] = Offer::None;
    }
}
