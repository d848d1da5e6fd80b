//! The nine umbrations, what each can do, and sets of pieces (CC-2).

/// A kind of piece; there is one piece of each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Umbration {
    /// Brings home, makes eternal.
    Essence,
    /// Halves, gathers its equals.
    Duality,
    /// Breaks, redefines words.
    Cosmos,
    /// Rewinds turns, teleports.
    Velocity,
    /// Raises monuments afar, burns its row.
    Radiance,
    /// Builds and destroys monuments, shifts the ground.
    Corporeality,
    /// Gives Q, selects the fit.
    Innervation,
    /// Dances like others, goes berserk.
    Caprice,
    /// Spreads propaganda, counts monuments.
    Cognizance,
}

impl Umbration {
    /// All nine in the order of the rules.
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

    /// The name in print.
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

    /// Three letters, as the notation has it.
    #[must_use]
    pub const fn code(self) -> &'static str {
        ["ess", "dua", "cos", "vel", "rad", "cor", "inn", "cap", "cog"][self as usize]
    }

    /// The ability open from 3Q on (CC-30).
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

    /// The ability open from 9Q on (CC-30).
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

/// What pieces perform, two abilities an umbration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ability {
    /// Essence's basic one (CC-40).
    ReturnHome,
    /// Essence's elite one (CC-41).
    PerfectEternal,
    /// Duality's basic one (CC-42).
    Cut,
    /// Duality's elite one (CC-43).
    FlockTogether,
    /// Cosmos's basic one (CC-44).
    Breakdown,
    /// Cosmos's elite one (CC-45).
    Redefinition,
    /// Velocity's basic one (CC-46).
    CriticalRewind,
    /// Velocity's elite one (CC-47).
    Teleport,
    /// Radiance's basic one (CC-48).
    Spectacle,
    /// Radiance's elite one (CC-49).
    UltraviolentRay,
    /// Corporeality's basic one (CC-50).
    BuildMonument,
    /// Corporeality's elite one (CC-51).
    TectonicFailure,
    /// Innervation's basic one (CC-52).
    Energize,
    /// Innervation's elite one (CC-53).
    SelectTheFit,
    /// Caprice's basic one (CC-54).
    InterpretativeDance,
    /// Caprice's elite one (CC-55).
    GoBerserk,
    /// Cognizance's basic one (CC-56).
    Propaganda,
    /// Cognizance's elite one (CC-57).
    SumOfAllKnowledge,
}

impl Ability {
    /// The name in print.
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

/// A set of pieces; it has no order and no piece twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PieceSet(u16);

impl PieceSet {
    /// No piece at all.
    pub const EMPTY: Self = Self(0);
    /// All nine.
    pub(crate) const ALL: Self = Self(0o777);

    /// Whether it holds no piece.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many pieces it holds.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the piece is in it.
    #[must_use]
    pub const fn contains(self, piece: Umbration) -> bool {
        self.0 >> (piece as u16) & 1 == 1
    }

    /// The same set with the piece in it.
    #[must_use]
    pub const fn with(self, piece: Umbration) -> Self {
        Self(self.0 | 1 << (piece as u16))
    }

    /// Its pieces in the order of the rules.
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
