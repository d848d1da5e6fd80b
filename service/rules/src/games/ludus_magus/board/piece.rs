//! The kinds of pieces, and a piece on its place (LM-4).

use crate::Side;
use crate::games::ludus_magus::board::place::Place;

/// The kind of a piece; the source calls it the piece's value (LM-4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// The Element of air: two steps over vacant places.
    Aer,
    /// The Element of water: over a friend, then a capture.
    Aqua,
    /// The Element of fire: over a vacant place, then a capture.
    Ignis,
    /// The Element of earth: a capture, then a step to a vacant place.
    Terra,
    /// The fifth Element: suppresses enemy Elements.
    Aether,
    /// The Artifact that Conjure needs.
    Codex,
    /// The Artifact that swaps places with its Magus.
    Famulus,
    /// The Artifact whose loss ends the match.
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
    /// The Elements with a movement of their own, which can be conjured.
    pub const MOVING: [Self; 4] = [Self::Aer, Self::Aqua, Self::Ignis, Self::Terra];

    /// Returns whether the kind is an Element, not an Artifact.
    #[must_use]
    pub const fn is_element(self) -> bool {
        matches!(self, Self::Aer | Self::Aqua | Self::Ignis | Self::Terra | Self::Aether)
    }

    /// Returns the kind's number, its index in [`Kind::ALL`].
    pub(crate) const fn index(self) -> u8 {
        self as u8
    }

    /// Returns the printed name.
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

    /// Returns the word of the notation.
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

/// A piece and its place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// The owner.
    pub seat: Side,
    /// The kind.
    pub kind: Kind,
    /// The place.
    pub place: Place,
}
