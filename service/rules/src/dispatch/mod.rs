//! All games behind closed enums, one variant a game. No arm is a wildcard: a new game makes every place that must learn
//! of it fail to compile.

mod game_id;
mod reason;
mod state;

use alloc::string::String;

use crate::games::ace_exorcist::{self, AceExorcist};
use crate::games::angels_and_demons::{self, AngelsAndDemons};
use crate::games::cresnovian_chess::{self, CresnovianChess};
use crate::games::ludus_magus::{self, LudusMagus};
use crate::{Game, Viewer};

pub use game_id::GameId;
pub use reason::Reason;
pub use state::State;

/// The options of a match of any game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Options {
    /// Board and length.
    AngelsAndDemons(angels_and_demons::Options),
    /// None to choose.
    AceExorcist(ace_exorcist::Options),
    /// Length.
    CresnovianChess(cresnovian_chess::Options),
    /// The start and the length.
    LudusMagus(ludus_magus::Options),
}

impl Options {
    /// The options that a game's rules give where the match's creator gives none.
    #[must_use]
    pub fn default_of(game: GameId) -> Self {
        match game {
            GameId::AngelsAndDemons => Self::AngelsAndDemons(angels_and_demons::Options::default()),
            GameId::AceExorcist => Self::AceExorcist(ace_exorcist::Options),
            GameId::CresnovianChess => Self::CresnovianChess(cresnovian_chess::Options::default()),
            GameId::LudusMagus => Self::LudusMagus(ludus_magus::Options::default()),
        }
    }

    /// The game that they are options of.
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
    /// A placement, a choice of a kingdom, a turn.
    CresnovianChess(cresnovian_chess::Move),
    /// An action with one's pieces.
    LudusMagus(ludus_magus::Move),
}

impl Move {
    /// The game that it is a move of.
    #[must_use]
    pub const fn game(&self) -> GameId {
        match self {
            Self::AngelsAndDemons(_) => GameId::AngelsAndDemons,
            Self::AceExorcist(_) => GameId::AceExorcist,
            Self::CresnovianChess(_) => GameId::CresnovianChess,
            Self::LudusMagus(_) => GameId::LudusMagus,
        }
    }

    /// The move's notation; [`GameId::parse_move`] reads it back.
    #[must_use]
    pub fn print(&self) -> String {
        match self {
            Self::AngelsAndDemons(made) => AngelsAndDemons::print_move(made),
            Self::AceExorcist(made) => AceExorcist::print_move(made),
            Self::CresnovianChess(made) => CresnovianChess::print_move(made),
            Self::LudusMagus(made) => LudusMagus::print_move(made),
        }
    }

    const fn angels_and_demons(&self) -> Option<&angels_and_demons::Move> {
        match self {
            Self::AngelsAndDemons(made) => Some(made),
            Self::AceExorcist(_) | Self::LudusMagus(_) | Self::CresnovianChess(_) => None,
        }
    }

    const fn ace_exorcist(&self) -> Option<&ace_exorcist::Move> {
        match self {
            Self::AceExorcist(made) => Some(made),
            Self::AngelsAndDemons(_) | Self::LudusMagus(_) | Self::CresnovianChess(_) => None,
        }
    }

    const fn ludus_magus(&self) -> Option<&ludus_magus::Move> {
        match self {
            Self::LudusMagus(made) => Some(made),
            Self::AngelsAndDemons(_) | Self::AceExorcist(_) | Self::CresnovianChess(_) => None,
        }
    }

    const fn cresnovian_chess(&self) -> Option<&cresnovian_chess::Move> {
        match self {
            Self::CresnovianChess(made) => Some(made),
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
    /// What happened to pieces, monuments, words and the poem.
    CresnovianChess(cresnovian_chess::Fact),
    /// A piece moved, captured or conjured, mana, a turn taken.
    LudusMagus(ludus_magus::Fact),
}

impl Fact {
    /// What the viewer may see of it, if anything.
    #[must_use]
    pub fn seen_by(&self, viewer: Viewer) -> Option<Self> {
        match self {
            Self::AngelsAndDemons(fact) => {
                AngelsAndDemons::fact_seen(fact, viewer).map(Self::AngelsAndDemons)
            }
            Self::AceExorcist(fact) => AceExorcist::fact_seen(fact, viewer).map(Self::AceExorcist),
            Self::CresnovianChess(fact) => {
                CresnovianChess::fact_seen(fact, viewer).map(Self::CresnovianChess)
            }
            Self::LudusMagus(fact) => LudusMagus::fact_seen(fact, viewer).map(Self::LudusMagus),
        }
    }
}

/// What one viewer may see of a position of any game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum View {
    /// The board, the counts, who has chosen.
    AngelsAndDemons(angels_and_demons::View),
    /// The table, and the viewer's own hand.
    AceExorcist(ace_exorcist::View),
    /// The field, the poem, what is locked, what a rewind would restore.
    CresnovianChess(cresnovian_chess::View),
    /// The pieces, the mana, how far the match has come.
    LudusMagus(ludus_magus::View),
}
