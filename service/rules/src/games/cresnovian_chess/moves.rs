//! What a seat can do. Not every value is legal in a given position; how moves are written is in `notation`.

use alloc::vec::Vec;

use super::field::poem::Word;
use super::field::square::{Direction, Kingdom, Square, SquareSet};
use super::field::umbration::{Ability, PieceSet, Umbration};

/// What a seat does.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Player One places the pieces: each one's square, in the order of [`Umbration::ALL`] (CC-10).
    Place([Square; 9]),
    /// Player Two chooses a kingdom (CC-11).
    Choose(Kingdom),
    /// A piece travels in a straight line (CC-20).
    Travel {
        /// The piece.
        piece: Umbration,
        /// Where it goes.
        to: Square,
    },
    /// A piece performs (CC-30).
    Perform(Performance),
    /// Words are appended to the poem (CC-60).
    Document(Vec<Word>),
    /// Nothing, because nothing else is legal (CC-72).
    Pass,
    /// What a client sent, where it is no move of this game at all; never legal, and without a notation.
    Malformed(Flaw),
}

/// Why something that a client sent is no move (G-2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Flaw {
    /// It names no kind of move, or no ability.
    Kind,
    /// It names a piece that does not exist.
    Piece,
    /// It names a square that the field does not have.
    Square,
    /// It names a direction or a kingdom that does not exist.
    Place,
    /// A part of it is missing, or given twice.
    Parts,
}

/// What a piece performs, and who: each ability belongs to one umbration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Performance {
    /// The basic ability of the piece that has it.
    Basic(Basic),
    /// The elite ability of the piece that has it.
    Elite(Elite),
    /// Caprice uses the basic ability of another piece (CC-54).
    Dance(Basic),
    /// A broken piece becomes whole (CC-32).
    Repair(Umbration),
}

impl Performance {
    /// The piece that performs.
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

/// A basic ability and what it is used on. Caprice's own is [`Performance::Dance`].
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
    /// The piece gains so many Q (CC-52).
    Energize(Umbration, u32),
    /// The pieces lose 1Q each (CC-56).
    Propaganda(PieceSet),
}

impl Basic {
    /// Which ability it is.
    #[must_use]
    pub const fn ability(&self) -> Ability {
        self.umbration().basic()
    }

    /// Whose ability it is.
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

/// An elite ability and what it is used on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Elite {
    /// The piece becomes 3Q eternal (CC-41).
    PerfectEternal(Umbration),
    /// Every piece with Duality's Q goes where the flock says (CC-43).
    FlockTogether(Flock),
    /// A word of the poem goes to the field (CC-45).
    Redefinition {
        /// The index of the word that is taken out.
        take: u32,
        /// The index at which the old word goes back, counted after the removal; only if there is one.
        put_back: Option<u32>,
        /// Where the word is placed.
        square: Square,
    },
    /// The piece or monument on one square goes to another (CC-47).
    Teleport {
        /// Where it stands.
        from: Square,
        /// Where it goes.
        to: Square,
    },
    /// The performer's row burns (CC-49).
    UltraviolentRay,
    /// Single steps, one after another (CC-51).
    TectonicFailure(Vec<TectonicStep>),
    /// The weak lose everything (CC-53).
    SelectTheFit,
    /// Caprice goes next to the piece, and both lose 9Q (CC-55).
    GoBerserk(Umbration, Square),
    /// The performer gains 1Q a monument (CC-57).
    SumOfAllKnowledge,
}

impl Elite {
    /// Which ability it is.
    #[must_use]
    pub const fn ability(&self) -> Ability {
        self.umbration().elite()
    }

    /// Whose ability it is.
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

/// Where each member of a flock goes, perhaps where it stands. In whichever order the members are given, it is the same
/// flock.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Flock(Vec<(Umbration, Square)>);

impl Flock {
    /// The flock of these members and their destinations.
    #[must_use]
    pub fn new(members: impl IntoIterator<Item = (Umbration, Square)>) -> Self {
        let mut members: Vec<_> = members.into_iter().collect();
        members.sort_unstable();
        Self(members)
    }

    /// The members in the order of the rules, each with its destination.
    #[must_use]
    pub fn members(&self) -> &[(Umbration, Square)] {
        &self.0
    }
}

/// A step of Tectonic Failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TectonicStep {
    /// Where the piece or monument stands that makes the step.
    pub from: Square,
    /// Where to.
    pub direction: Direction,
}
