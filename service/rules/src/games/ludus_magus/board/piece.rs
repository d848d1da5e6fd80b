//! Kinds of pieces and pieces on their places (LM-4).

use crate::Seat;
use crate::games::ludus_magus::board::place::Place;

/// What a piece is; the source calls it the piece's value (LM-4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// The Element of air: two steps over vacant places.
    Aer,
    /// The Element of water: over a friend, then a capture.
    Aqua,
    /// The Element of fire: over a vacant place, then a capture.
    Ignis,
    /// The Element of earth: a capture, then a step on.
    Terra,
    /// The fifth Element: suppresses enemy Elements.
    Aether,
    /// The Artifact without which there is no Conjure.
    Codex,
    /// The Artifact that swaps places with its Magus.
    Famulus,
    /// The Artifact that must not be lost.
    Magus,
}

impl Kind {
    /// Every kind, Elements first.
    pub const ALL: [Self; 8] = [
        Self::Aer,
        Self::Aqua,
        Self::Ignis,
        Self::Terra,
        Self::Aether,
        Self::Codex,
        Self::Famulus,
        Self::Magus,
    ];
    /// The Elements that have a movement; they can be conjured.
    pub const MOVING: [Self; 4] = [Self::Aer, Self::Aqua, Self::Ignis, Self::Terra];

    /// Whether it is an Element and no Artifact.
    #[must_use]
    pub const fn is_element(self) -> bool {
        matches!(self, Self::Aer | Self::Aqua | Self::Ignis | Self::Terra | Self::Aether)
    }

    /// The kind's number in the order of [`Kind::ALL`].
    pub(crate) const fn index(self) -> u8 {
        self as u8
    }

    /// The name as people read it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aer => "Aer",
            Self::Aqua => "Aqua",
            Self::Ignis => "Ignis",
            Self::Terra => "Terra",
            Self::Aether => "Aether",
            Self::Codex => "Codex",
            Self::Famulus => "Famulus",
            Self::Magus => "Magus",
        }
    }

    /// The name as notation has it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Aer => "aer",
            Self::Aqua => "aqua",
            Self::Ignis => "ignis",
            Self::Terra => "terra",
            Self::Aether => "aether",
            Self::Codex => "codex",
            Self::Famulus => "famulus",
            Self::Magus => "magus",
        }
    }

    pub(crate) fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// A piece where it stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Whose it is.
    pub seat: Seat,
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub place: Place,
}
