//! All games behind closed enums, one variant per game. No match arm is a wildcard, so that a new game fails
//! to compile until every place handles it.

mod end_reason;
mod game_id;
mod games;
mod other;
mod rules;
mod state;

use alloc::string::String;

use crate::games::ace_exorcist::{self, AceExorcist};
use crate::games::angels_and_demons::{self, AngelsAndDemons};
use crate::games::cresnovian_chess::{self, CresnovianChess};
use crate::games::ludus_magus::{self, LudusMagus};
use crate::{Game, Viewer};

pub use end_reason::Reason;
pub use game_id::GameId;
pub use games::{Games, VersionStatus};
pub use other::{BuiltIn, OtherState, OtherVersion};
pub use rules::Rules;
pub use state::State;

/// The options of a match of any game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Options {
    /// Board size and length.
    AngelsAndDemons(angels_and_demons::Options),
    /// No options.
    AceExorcist(ace_exorcist::Options),
    /// Length.
    CresnovianChess(cresnovian_chess::Options),
    /// Start position and length.
    LudusMagus(ludus_magus::Options),
}

impl Options {
    /// Returns the game's default options.
    #[must_use]
    pub fn default_of(game: GameId) -> Self {
        match game {
            GameId::AngelsAndDemons => Self::AngelsAndDemons(angels_and_demons::Options::default()),
            GameId::AceExorcist => Self::AceExorcist(ace_exorcist::Options),
            GameId::CresnovianChess => Self::CresnovianChess(cresnovian_chess::Options::default()),
            GameId::LudusMagus => Self::LudusMagus(ludus_magus::Options::default()),
        }
    }

    /// Returns the game to which the options belong.
    #[must_use]
    pub const fn game(&self) -> GameId {
        match self {
            Self::AngelsAndDemons(_) => GameId::AngelsAndDemons,
            Self::AceExorcist(_) => GameId::AceExorcist,
            Self::CresnovianChess(_) => GameId::CresnovianChess,
            Self::LudusMagus(_) => GameId::LudusMagus,
        }
    }
}

/// A move of any game.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Move {
    /// A choice of a space.
    AngelsAndDemons(angels_and_demons::Move),
    /// Cards played, or a pass.
    AceExorcist(ace_exorcist::Move),
    /// A placement, a choice of a kingdom, or a turn.
    CresnovianChess(cresnovian_chess::Move),
    /// An action with own pieces.
    LudusMagus(ludus_magus::Move),
}

impl Move {
    /// Returns the game to which the move belongs.
    #[must_use]
    pub const fn game(&self) -> GameId {
        match self {
            Self::AngelsAndDemons(_) => GameId::AngelsAndDemons,
            Self::AceExorcist(_) => GameId::AceExorcist,
            Self::CresnovianChess(_) => GameId::CresnovianChess,
            Self::LudusMagus(_) => GameId::LudusMagus,
        }
    }

    /// Returns the move's notation, which [`GameId::parse_move`] reads back.
    #[must_use]
    pub fn print(&self) -> String {
        match self {
            Self::AngelsAndDemons(mv) => AngelsAndDemons::print_move(mv),
            Self::AceExorcist(mv) => AceExorcist::print_move(mv),
            Self::CresnovianChess(mv) => CresnovianChess::print_move(mv),
            Self::LudusMagus(mv) => LudusMagus::print_move(mv),
        }
    }

    const fn angels_and_demons(&self) -> Option<&angels_and_demons::Move> {
        match self {
            Self::AngelsAndDemons(mv) => Some(mv),
            Self::AceExorcist(_) | Self::LudusMagus(_) | Self::CresnovianChess(_) => None,
        }
    }

    const fn ace_exorcist(&self) -> Option<&ace_exorcist::Move> {
        match self {
            Self::AceExorcist(mv) => Some(mv),
            Self::AngelsAndDemons(_) | Self::LudusMagus(_) | Self::CresnovianChess(_) => None,
        }
    }

    const fn ludus_magus(&self) -> Option<&ludus_magus::Move> {
        match self {
            Self::LudusMagus(mv) => Some(mv),
            Self::AngelsAndDemons(_) | Self::AceExorcist(_) | Self::CresnovianChess(_) => None,
        }
    }

    const fn cresnovian_chess(&self) -> Option<&cresnovian_chess::Move> {
        match self {
            Self::CresnovianChess(mv) => Some(mv),
            Self::AngelsAndDemons(_) | Self::AceExorcist(_) | Self::LudusMagus(_) => None,
        }
    }
}

/// A fact of any game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// A choice made or revealed, a space changed, a turn resolved.
    AngelsAndDemons(angels_and_demons::Fact),
    /// A step of a move.
    AceExorcist(ace_exorcist::Fact),
    /// A change of pieces, monuments, words or the poem.
    CresnovianChess(cresnovian_chess::Fact),
    /// A piece moved, captured or conjured, mana changed, a turn taken.
    LudusMagus(ludus_magus::Fact),
}

impl Fact {
    /// Redacts the fact for the viewer. `None` if the viewer may not see it at all.
    #[must_use]
    pub fn redacted_for(&self, viewer: Viewer) -> Option<Self> {
        match self {
            Self::AngelsAndDemons(fact) => {
                AngelsAndDemons::redact_fact(fact, viewer).map(Self::AngelsAndDemons)
            }
            Self::AceExorcist(fact) => AceExorcist::redact_fact(fact, viewer).map(Self::AceExorcist),
            Self::CresnovianChess(fact) => {
                CresnovianChess::redact_fact(fact, viewer).map(Self::CresnovianChess)
            }
            Self::LudusMagus(fact) => LudusMagus::redact_fact(fact, viewer).map(Self::LudusMagus),
        }
    }
}

/// What a viewer may see of a position of any game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum View {
    /// Board, counts, and who has chosen.
    AngelsAndDemons(angels_and_demons::View),
    /// Table, and the viewer's own hand.
    AceExorcist(ace_exorcist::View),
    /// Field, poem, locks, and what a rewind would restore.
    CresnovianChess(cresnovian_chess::View),
    /// Pieces, mana and progress.
    LudusMagus(ludus_magus::View),
}
