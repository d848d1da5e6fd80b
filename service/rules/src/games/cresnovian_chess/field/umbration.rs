//! The nine umbrations, their abilities, and sets of pieces (CC-2).

/// A kind of piece. There is exactly one piece of each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Umbration {
    /// Returns pieces home and makes them eternal.
    Essence,
    /// Halves a piece's Q and gathers pieces of equal Q.
    Duality,
    /// Breaks pieces and redefines words.
    Cosmos,
    /// Rewinds turns and teleports.
    Velocity,
    /// Raises monuments in the other kingdom and burns its row.
    Radiance,
    /// Builds and destroys monuments and shifts the ground.
    Corporeality,
    /// Gives Q and selects the fit.
    Innervation,
    /// Dances other pieces' abilities and goes berserk.
    Caprice,
    /// Spreads propaganda and counts monuments.
    Cognizance,
}

impl Umbration {
    /// Every umbration, in the order of the rules.
    pub const ALL: [Self; 9] = [
        Self::Essence,
        Self::Duality,
        Self::Cosmos,
        Self::Velocity,
        Self::Radiance,
        Self::Corporeality,
        Self::Innervation,
        Self::Caprice,
        Self::Cognizance,
    ];

    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    /// Returns the printed name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        [
            "Essence",
            "Duality",
            "Cosmos",
            "Velocity",
            "Radiance",
            "Corporeality",
            "Innervation",
            "Caprice",
            "Cognizance",
        ][self as usize]
    }

    /// Returns the three letters of the notation.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["ess", "dua", "cos", "vel", "rad", "cor", "inn", "cap", "cog"][self as usize]
    }

    /// Returns the ability that is open from 3Q (CC-30).
    #[must_use]
    pub const fn basic(self) -> Ability {
        match self {
            Self::Essence => Ability::ReturnHome,
            Self::Duality => Ability::Cut,
            Self::Cosmos => Ability::Breakdown,
            Self::Velocity => Ability::CriticalRewind,
            Self::Radiance => Ability::Spectacle,
            Self::Corporeality => Ability::BuildMonument,
            Self::Innervation => Ability::Energize,
            Self::Caprice => Ability::InterpretativeDance,
            Self::Cognizance => Ability::Propaganda,
        }
    }

    /// Returns the ability that is open from 9Q (CC-30).
    #[must_use]
    pub const fn elite(self) -> Ability {
        match self {
            Self::Essence => Ability::PerfectEternal,
            Self::Duality => Ability::FlockTogether,
            Self::Cosmos => Ability::Redefinition,
            Self::Velocity => Ability::Teleport,
            Self::Radiance => Ability::UltraviolentRay,
            Self::Corporeality => Ability::TectonicFailure,
            Self::Innervation => Ability::SelectTheFit,
            Self::Caprice => Ability::GoBerserk,
            Self::Cognizance => Ability::SumOfAllKnowledge,
        }
    }
}

/// An ability; each umbration has two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ability {
    /// Essence's basic ability (CC-40).
    ReturnHome,
    /// Essence's elite ability (CC-41).
    PerfectEternal,
    /// Duality's basic ability (CC-42).
    Cut,
    /// Duality's elite ability (CC-43).
    FlockTogether,
    /// Cosmos's basic ability (CC-44).
    Breakdown,
    /// Cosmos's elite ability (CC-45).
    Redefinition,
    /// Velocity's basic ability (CC-46).
    CriticalRewind,
    /// Velocity's elite ability (CC-47).
    Teleport,
    /// Radiance's basic ability (CC-48).
    Spectacle,
    /// Radiance's elite ability (CC-49).
    UltraviolentRay,
    /// Corporeality's basic ability (CC-50).
    BuildMonument,
    /// Corporeality's elite ability (CC-51).
    TectonicFailure,
    /// Innervation's basic ability (CC-52).
    Energize,
    /// Innervation's elite ability (CC-53).
    SelectTheFit,
    /// Caprice's basic ability (CC-54).
    InterpretativeDance,
    /// Caprice's elite ability (CC-55).
    GoBerserk,
    /// Cognizance's basic ability (CC-56).
    Propaganda,
    /// Cognizance's elite ability (CC-57).
    SumOfAllKnowledge,
}

impl Ability {
    /// Returns the printed name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ReturnHome => "Return Home",
            Self::PerfectEternal => "Perfect Eternal",
            Self::Cut => "Cut",
            Self::FlockTogether => "Flock Together",
            Self::Breakdown => "Breakdown",
            Self::Redefinition => "Redefinition",
            Self::CriticalRewind => "Critical Rewind",
            Self::Teleport => "Teleport",
            Self::Spectacle => "Spectacle",
            Self::UltraviolentRay => "Ultraviolent Ray",
            Self::BuildMonument => "Build Monument",
            Self::TectonicFailure => "Tectonic Failure",
            Self::Energize => "Energize",
            Self::SelectTheFit => "Select the Fit",
            Self::InterpretativeDance => "Interpretative Dance",
            Self::GoBerserk => "Go Berserk",
            Self::Propaganda => "Propaganda",
            Self::SumOfAllKnowledge => "Sum of All Knowledge",
        }
    }
}

/// A bitboard of pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PieceSet(u16);

impl PieceSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All nine pieces.
    pub(crate) const ALL: Self = Self(0o777);

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of pieces.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the set has the piece.
    #[must_use]
    pub const fn contains(self, piece: Umbration) -> bool {
        self.0 >> (piece as u16) & 1 == 1
    }

    /// Returns the set with the piece added.
    #[must_use]
    pub const fn with(self, piece: Umbration) -> Self {
        Self(self.0 | 1 << (piece as u16))
    }

    /// Returns the pieces in the order of the rules.
    pub fn iter(self) -> impl Iterator<Item = Umbration> + Clone {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            let piece = *Umbration::ALL.get(rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(piece)
        })
    }
}

impl FromIterator<Umbration> for PieceSet {
    fn from_iter<I: IntoIterator<Item = Umbration>>(pieces: I) -> Self {
        pieces.into_iter().fold(Self::EMPTY, Self::with)
    }
}
