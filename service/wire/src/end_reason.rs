//! `Result.reason` as types, so that clients dispatch on a result exhaustively: a game added here does not
//! compile until every client handles its reasons. A test in `replay` compares the words with those of the
//! rules.

use crate::GameKind;

/// Why a match ended: `Result.reason` of a match whose game is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// An ending outside the rules, the same for all games.
    Service(ServiceReason),
    /// An ending by the rules of Angels and Demons.
    AngelsAndDemons(AngelsAndDemonsReason),
    /// An ending by the rules of Ace Exorcist.
    AceExorcist(AceExorcistReason),
    /// An ending by the rules of Cresnovian Chess.
    CresnovianChess(CresnovianChessReason),
    /// An ending by the rules of Ludus Magus.
    LudusMagus(LudusMagusReason),
}

impl EndReason {
    /// Parses the reason of a result. Without a game, which is known once a match has started, only the
    /// service's reasons parse. `None` if this build does not know the word.
    pub fn parse(game: Option<GameKind>, word: &str) -> Option<Self> {
        if let Some(reason) = ServiceReason::parse(word) {
            return Some(Self::Service(reason));
        }
        match game? {
            GameKind::AngelsAndDemons => AngelsAndDemonsReason::parse(word).map(Self::AngelsAndDemons),
            GameKind::AceExorcist => AceExorcistReason::parse(word).map(Self::AceExorcist),
            GameKind::CresnovianChess => CresnovianChessReason::parse(word).map(Self::CresnovianChess),
            GameKind::LudusMagus => LudusMagusReason::parse(word).map(Self::LudusMagus),
        }
    }

    /// Returns the word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Service(reason) => reason.as_str(),
            Self::AngelsAndDemons(reason) => reason.as_str(),
            Self::AceExorcist(reason) => reason.as_str(),
            Self::CresnovianChess(reason) => reason.as_str(),
            Self::LudusMagus(reason) => reason.as_str(),
        }
    }
}

/// An ending outside the rules (G-4, G-7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ServiceReason {
    /// A seat resigned; the other one wins.
    Resignation,
    /// Both seats agreed on a draw.
    Agreement,
    /// A seat ran out of time and lost, or both did and drew.
    Time,
    /// A seat called the match off before any move; nobody wins.
    Aborted,
    /// The match never started; nobody wins.
    Expired,
}

impl ServiceReason {
    /// Every reason.
    pub const ALL: [Self; 5] = [Self::Resignation, Self::Agreement, Self::Time, Self::Aborted, Self::Expired];

    /// Parses the word on the wire. `None` if it belongs to a game.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == word)
    }

    /// Returns the word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Resignation => "resignation",
            Self::Agreement => "agreement",
            Self::Time => "time",
            Self::Aborted => "aborted",
            Self::Expired => "expired",
        }
    }

    /// Returns whether the match was never played out: nobody won, and it does not count as a draw.
    pub const fn is_void(self) -> bool {
        match self {
            Self::Aborted | Self::Expired => true,
            Self::Resignation | Self::Agreement | Self::Time => false,
        }
    }
}

/// Why the rules of Angels and Demons end a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AngelsAndDemonsReason {
    /// The winner covers more spaces (AD-8).
    Count,
    /// Both seats cover equally many (AD-8).
    EqualCount,
}

impl AngelsAndDemonsReason {
    /// Every reason.
    pub const ALL: [Self; 2] = [Self::Count, Self::EqualCount];

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == word)
    }

    /// Returns the word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::EqualCount => "equal-count",
        }
    }
}

/// Why the rules of Ace Exorcist end a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AceExorcistReason {
    /// Three cards lie in the Ritual Space (AE-40).
    Ritual,
    /// The loser has no hit points left (AE-40).
    HitPoints,
    /// The loser's draw stack is empty (AE-40).
    Stack,
    /// The same position stood for the third time (AE-41).
    Repetition,
}

impl AceExorcistReason {
    /// Every reason.
    pub const ALL: [Self; 4] = [Self::Ritual, Self::HitPoints, Self::Stack, Self::Repetition];

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == word)
    }

    /// Returns the word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ritual => "ritual",
            Self::HitPoints => "hit-points",
            Self::Stack => "stack",
            Self::Repetition => "repetition",
        }
    }
}

/// Why the rules of Cresnovian Chess end a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CresnovianChessReason {
    /// The loser's kingdom has no Q left (CC-70).
    KingdomLost,
    /// Neither kingdom has any Q left (CC-70).
    BothKingdomsLost,
    /// The last turn has been taken (CC-71).
    MaxTurns,
}

impl CresnovianChessReason {
    /// Every reason.
    pub const ALL: [Self; 3] = [Self::KingdomLost, Self::BothKingdomsLost, Self::MaxTurns];

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == word)
    }

    /// Returns the word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::KingdomLost => "kingdom-lost",
            Self::BothKingdomsLost => "both-kingdoms-lost",
            Self::MaxTurns => "max-turns",
        }
    }
}

/// Why the rules of Ludus Magus end a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LudusMagusReason {
    /// The loser's Magus was captured (LM-40).
    MagusCaptured,
    /// The loser's Magus is bound (LM-41).
    Bind,
    /// The seat to act has no legal move (LM-42).
    NoMove,
    /// The same position stood for the third time (LM-43).
    Repetition,
    /// Too many turns passed without a capture or a Conjure (LM-44).
    Quiet,
    /// The last turn has been taken (LM-45).
    MaxTurns,
}

impl LudusMagusReason {
    /// Every reason.
    pub const ALL: [Self; 6] =
        [Self::MagusCaptured, Self::Bind, Self::NoMove, Self::Repetition, Self::Quiet, Self::MaxTurns];

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == word)
    }

    /// Returns the word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MagusCaptured => "magus-captured",
            Self::Bind => "bind",
            Self::NoMove => "no-move",
            Self::Repetition => "repetition",
            Self::Quiet => "quiet",
            Self::MaxTurns => "max-turns",
        }
    }
}
