//! The moves. `notation` writes them, `legal` decides what is legal.

use alloc::vec::Vec;

use super::field::poem::Word;
use super::field::square::{Direction, Kingdom, Square, SquareSet};
use super::field::umbration::{Ability, PieceSet, Umbration};

/// What a seat does. A value need not be legal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Player One places the pieces: one square per piece, in the order of [`Umbration::ALL`] (CC-10).
    Place([Square; 9]),
    /// Player Two chooses a kingdom (CC-11).
    Choose(Kingdom),
    /// A piece travels in a straight line (CC-20).
    Travel {
        /// The piece.
        piece: Umbration,
        /// Its destination.
        to: Square,
    },
    /// A piece performs (CC-30).
    Perform(Performance),
    /// Words are appended to the poem (CC-60).
    Document(Vec<Word>),
    /// A pass, legal only when nothing else is (CC-72).
    Pass,
    /// A client's message that is no move of this game. It is never legal and has no notation.
    Malformed(Flaw),
}

/// Why a client's message is no move (G-2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Flaw {
    /// It names no kind of move, or no ability.
    Kind,
    /// It names a piece that does not exist.
    Piece,
    /// It names a square that is not on the field.
    Square,
    /// It names a direction or a kingdom that does not exist.
    Place,
    /// A part is missing or given twice.
    Parts,
}

/// What a piece performs. The ability determines the performer, because each belongs to one umbration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Performance {
    /// The piece uses its basic ability.
    Basic(Basic),
    /// The piece uses its elite ability.
    Elite(Elite),
    /// Caprice uses the basic ability of another piece (CC-54).
    Dance(Basic),
    /// A broken piece becomes whole (CC-32).
    Repair(Umbration),
}

impl Performance {
    /// Returns the piece that performs.
    #[must_use]
    pub const fn performer(&self) -> Umbration {
        match self {
            Self::Basic(basic) => basic.umbration(),
            Self::Elite(elite) => elite.umbration(),
            Self::Dance(_) => Umbration::Caprice,
            Self::Repair(piece) => *piece,
        }
    }
}

/// A basic ability and its targets. Caprice's own is [`Performance::Dance`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Basic {
    /// The piece goes home (CC-40).
    ReturnHome(Umbration),
    /// The piece's Q is halved (CC-42).
    Cut(Umbration),
    /// The piece becomes broken (CC-44).
    Breakdown(Umbration),
    /// The opponent's turn is undone (CC-46).
    CriticalRewind,
    /// A monument of the piece's umbration rises on the square (CC-48).
    Spectacle(Umbration, Square),
    /// A monument of the umbration is built on the square (CC-50).
    BuildMonument(Umbration, Square),
    /// The monuments on the squares are destroyed (CC-50).
    DestroyMonuments(SquareSet),
    /// The piece gains this many Q (CC-52).
    Energize(Umbration, u32),
    /// The pieces lose 1Q each (CC-56).
    Propaganda(PieceSet),
}

impl Basic {
    /// Returns the ability.
    #[must_use]
    pub const fn ability(&self) -> Ability {
        self.umbration().basic()
    }

    /// Returns the umbration that has the ability.
    #[must_use]
    pub const fn umbration(&self) -> Umbration {
        match self {
            Self::ReturnHome(_) => Umbration::Essence,
            Self::Cut(_) => Umbration::Duality,
            Self::Breakdown(_) => Umbration::Cosmos,
            Self::CriticalRewind => Umbration::Velocity,
            Self::Spectacle(..) => Umbration::Radiance,
            Self::BuildMonument(..) | Self::DestroyMonuments(_) => Umbration::Corporeality,
            Self::Energize(..) => Umbration::Innervation,
            Self::Propaganda(_) => Umbration::Cognizance,
        }
    }
}

/// An elite ability and its targets.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Elite {
    /// The piece becomes 3Q eternal (CC-41).
    PerfectEternal(Umbration),
    /// Every piece with Duality's Q goes to its destination in the flock (CC-43).
    FlockTogether(Flock),
    /// A word of the poem goes to the field (CC-45).
    Redefinition {
        /// Index of the word taken out of the poem.
        take: u32,
        /// Index at which the old word returns, counted after the removal; only if there is an old word.
        put_back: Option<u32>,
        /// The square on which the word is placed.
        square: Square,
    },
    /// The piece or monument on one square goes to another (CC-47).
    Teleport {
        /// The square of the piece or monument.
        from: Square,
        /// Its destination.
        to: Square,
    },
    /// The performer's row burns (CC-49).
    UltraviolentRay,
    /// Single steps, one after another (CC-51).
    TectonicFailure(Vec<TectonicStep>),
    /// Every piece below 9Q falls to 0 (CC-53).
    SelectTheFit,
    /// Caprice moves next to the piece, and both lose 9Q (CC-55).
    GoBerserk(Umbration, Square),
    /// The performer gains 1Q per monument (CC-57).
    SumOfAllKnowledge,
}

impl Elite {
    /// Returns the ability.
    #[must_use]
    pub const fn ability(&self) -> Ability {
        self.umbration().elite()
    }

    /// Returns the umbration that has the ability.
    #[must_use]
    pub const fn umbration(&self) -> Umbration {
        match self {
            Self::PerfectEternal(_) => Umbration::Essence,
            Self::FlockTogether(_) => Umbration::Duality,
            Self::Redefinition { .. } => Umbration::Cosmos,
            Self::Teleport { .. } => Umbration::Velocity,
            Self::UltraviolentRay => Umbration::Radiance,
            Self::TectonicFailure(_) => Umbration::Corporeality,
            Self::SelectTheFit => Umbration::Innervation,
            Self::GoBerserk(..) => Umbration::Caprice,
            Self::SumOfAllKnowledge => Umbration::Cognizance,
        }
    }
}

/// The destination of each member of a flock, possibly its own square. The order of the members has no
/// meaning.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Flock(Vec<(Umbration, Square)>);

impl Flock {
    /// Creates a flock from its members and their destinations.
    #[must_use]
    pub fn new(members: impl IntoIterator<Item = (Umbration, Square)>) -> Self {
        let mut members: Vec<_> = members.into_iter().collect();
        members.sort_unstable();
        Self(members)
    }

    /// Returns the members in the order of the rules, each with its destination.
    #[must_use]
    pub fn members(&self) -> &[(Umbration, Square)] {
        &self.0
    }
}

/// A step of Tectonic Failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TectonicStep {
    /// The square of the piece or monument.
    pub from: Square,
    /// The direction of the step.
    pub direction: Direction,
}
