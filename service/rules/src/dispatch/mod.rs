//! All games behind closed enums, one variant a game. No arm is a wildcard: a new game makes every place that must learn
//! of it fail to compile.

mod game_id;
mod state;

pub use game_id::GameId;
pub use state::{Played, State};

use alloc::string::String;

use crate::games::angels_and_demons::{self, AngelsAndDemons};
use crate::games::ludus_magus::{self, LudusMagus};
use crate::{Game, Viewer};

/// The options of a match of any game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Options {
    /// Board and length.
    AngelsAndDemons(angels_and_demons::Options),
    /// The start and the length.
    LudusMagus(ludus_magus::Options),
}

impl Options {
    /// The options that a game's rules give where the match's creator gives none.
    #[must_use]
    pub fn default_of(game: GameId) -> Self {
        match game {
            GameId::AngelsAndDemons => Self::AngelsAndDemons(angels_and_demons::Options::default()),
            GameId::LudusMagus => Self::LudusMagus(ludus_magus::Options::default()),
        }
    }

    /// The game that they are options of.
    #[must_use]
    pub const fn game(&self) -> GameId {
        match self {
            Self::AngelsAndDemons(_) => GameId::AngelsAndDemons,
            Self::LudusMagus(_) => GameId::LudusMagus,
        }
    }
}

/// A move of any game.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Move {
    /// A choice of a space.
    AngelsAndDemons(angels_and_demons::Move),
    /// An action with one's pieces.
    LudusMagus(ludus_magus::Move),
}

impl Move {
    /// The game that it is a move of.
    #[must_use]
    pub const fn game(&self) -> GameId {
        match self {
            Self::AngelsAndDemons(_) => GameId::AngelsAndDemons,
            Self::LudusMagus(_) => GameId::LudusMagus,
        }
    }

    /// The move's notation; [`GameId::parse_move`] reads it back.
    #[must_use]
    pub fn print(&self) -> String {
        match self {
            Self::AngelsAndDemons(made) => AngelsAndDemons::print_move(made),
            Self::LudusMagus(made) => LudusMagus::print_move(made),
        }
    }

    const fn angels_and_demons(&self) -> Option<&angels_and_demons::Move> {
        match self {
            Self::AngelsAndDemons(made) => Some(made),
            Self::LudusMagus(_) => None,
        }
    }

    const fn ludus_magus(&self) -> Option<&ludus_magus::Move> {
        match self {
            Self::LudusMagus(made) => Some(made),
            Self::AngelsAndDemons(_) => None,
        }
    }
}

/// A fact of any game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// A choice made or revealed, a space changed, a turn resolved.
    AngelsAndDemons(angels_and_demons::Fact),
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
            Self::LudusMagus(fact) => LudusMagus::fact_seen(fact, viewer).map(Self::LudusMagus),
        }
    }
}

/// What one viewer may see of a position of any game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum View {
    /// The board, the counts, who has chosen.
    AngelsAndDemons(angels_and_demons::View),
    /// The pieces, the mana, how far the match has come.
    LudusMagus(ludus_magus::View),
}
