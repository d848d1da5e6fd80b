//! The facts of a move, step by step, and their redaction (AE-34, AE-50).

use alloc::vec::Vec;

use super::cards::{Card, CardSet};
use crate::{Side, Viewer};

/// One step of a move. Everything but the card of a draw is public.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// A turn begins; its draw follows (AE-10, AE-30).
    TurnBegan {
        /// The seat whose turn it is.
        seat: Side,
    },
    /// The Exorcist guarded and skips the turn that would begin now (AE-24).
    TurnSkipped,
    /// A seat drew the top card of its stack.
    Drew {
        /// The seat that drew.
        seat: Side,
        /// The card; `None` for viewers who may not see it.
        card: Option<Card>,
    },
    /// A draw did not happen because the hand is full (AE-5).
    HandFull {
        /// The seat with the full hand.
        seat: Side,
    },
    /// Cards went from a hand to the same seat's discard pile (AE-6).
    Played {
        /// The seat that played.
        seat: Side,
        /// The cards.
        cards: CardSet,
    },
    /// A card went from the Summoner's hand to the Ritual Space (AE-12).
    RitualPlayed {
        /// The card.
        card: Card,
    },
    /// Cards went from the Summoner's hand into the attack (AE-13).
    Attacked {
        /// The cards.
        cards: CardSet,
    },
    /// Guards went from the Exorcist's hand to the Exorcist's discard pile (AE-21).
    Guarded {
        /// The low guard, if any.
        low: Option<Card>,
        /// The high guard, if any.
        high: Option<Card>,
    },
    /// The answered attack went to the Summoner's discard pile (AE-23).
    AttackDiscarded {
        /// The cards.
        cards: CardSet,
    },
    /// A card went from the Ritual Space to the Summoner's discard pile (AE-32).
    Banished {
        /// The card.
        card: Card,
    },
    /// Cards went from the Summoner's stack to the Summoner's discard pile (AE-33).
    Assaulted(Assault),
    /// Damage was dealt, possibly 0.
    Damaged {
        /// The seat that took the damage.
        seat: Side,
        /// The damage, which can exceed the remaining hit points.
        damage: u32,
        /// The hit points afterwards.
        hit_points: u32,
    },
    /// The Exorcist healed (AE-35).
    Healed {
        /// The sum of the pair.
        healing: u32,
        /// The hit points afterwards, at most 30.
        hit_points: u32,
    },
}

/// What an assault revealed (AE-33, AE-34).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assault {
    /// The sum of the cards that the Exorcist played.
    pub strength: u32,
    /// The cards taken from the stack, in order.
    pub taken: Vec<Card>,
    /// The card that exceeded the strength and went back on top, if any.
    pub put_back: Option<Card>,
}

pub(super) fn seen(fact: &Fact, viewer: Viewer) -> Fact {
    match fact {
        Fact::Drew { seat, card } => {
            let card = if sees_hand(viewer, *seat) { *card } else { None };
            Fact::Drew { seat: *seat, card }
        }
        Fact::TurnBegan { .. }
        | Fact::TurnSkipped
        | Fact::HandFull { .. }
        | Fact::Played { .. }
        | Fact::RitualPlayed { .. }
        | Fact::Attacked { .. }
        | Fact::Guarded { .. }
        | Fact::AttackDiscarded { .. }
        | Fact::Banished { .. }
        | Fact::Assaulted(_)
        | Fact::Damaged { .. }
        | Fact::Healed { .. } => fact.clone(),
    }
}

/// Returns whether the viewer may see the seat's hand and draws (AE-50, G-9).
pub(super) fn sees_hand(viewer: Viewer, seat: Side) -> bool {
    match viewer {
        Viewer::Seat(own) => own == seat,
        Viewer::Spectator => false,
        Viewer::Open => true,
    }
}
