//! The moves. `notation` writes them, `check` and `legal` decide what is legal.

use super::cards::{Card, CardSet};

/// What a seat does. A value need not be legal, nor even well formed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// The Summoner plays a face card into the Ritual Space (AE-12).
    Ritual(Card),
    /// The Summoner attacks with these number cards (AE-13).
    Attack(CardSet),
    /// The Summoner plays cards of equal value to draw others (AE-14).
    Trade(CardSet),
    /// The Exorcist lets an attack through (AE-20).
    TakeHit,
    /// The Exorcist guards against an attack, at one end or at both (AE-20, AE-21).
    Guard {
        /// The low guard: the card below the attack's lowest value.
        low: Option<Card>,
        /// The high guard: the card above the attack's highest value.
        high: Option<Card>,
    },
    /// The Exorcist attacks the ritual (AE-32).
    Banish {
        /// The card to remove from the Ritual Space.
        ritual: Card,
        /// The cards played.
        flush: CardSet,
    },
    /// The Exorcist attacks the Summoner's stack with these cards (AE-33).
    Assault(CardSet),
    /// The Exorcist plays a pair to regain hit points (AE-35).
    Heal(CardSet),
    /// Either seat draws one more card (AE-15, AE-36).
    Pass,
    /// A client's message that is no move; always refused (G-2).
    Malformed(Flaw),
}

/// Why a client's message is no move (G-2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Flaw {
    /// It names no kind of move.
    NoKind,
    /// It lacks a card that the kind needs.
    MissingCard,
    /// It names a card that does not exist.
    NoSuchCard,
    /// It names a card of a set twice.
    CardTwice,
}

impl Flaw {
    /// Every flaw.
    pub(super) const ALL: [Self; 4] = [Self::NoKind, Self::MissingCard, Self::NoSuchCard, Self::CardTwice];
}

/// A kind of move, identified by its word in notation and questions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Ritual,
    Attack,
    Trade,
    TakeHit,
    Guard,
    Banish,
    Assault,
    Heal,
    Pass,
}

impl Kind {
    pub(super) const ALL: [Self; 9] = [
        Self::Ritual,
        Self::Attack,
        Self::Trade,
        Self::TakeHit,
        Self::Guard,
        Self::Banish,
        Self::Assault,
        Self::Heal,
        Self::Pass,
    ];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Ritual => "ritual",
            Self::Attack => "attack",
            Self::Trade => "trade",
            Self::TakeHit => "take-hit",
            Self::Guard => "guard",
            Self::Banish => "banish",
            Self::Assault => "assault",
            Self::Heal => "heal",
            Self::Pass => "pass",
        }
    }

    pub(super) fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

impl Move {
    /// Returns the kind, or the flaw of a malformed move.
    pub(super) const fn kind(&self) -> Result<Kind, Flaw> {
        Ok(match self {
            Self::Ritual(_) => Kind::Ritual,
            Self::Attack(_) => Kind::Attack,
            Self::Trade(_) => Kind::Trade,
            Self::TakeHit => Kind::TakeHit,
            Self::Guard { .. } => Kind::Guard,
            Self::Banish { .. } => Kind::Banish,
            Self::Assault(_) => Kind::Assault,
            Self::Heal(_) => Kind::Heal,
            Self::Pass => Kind::Pass,
            Self::Malformed(flaw) => return Err(*flaw),
        })
    }
}
