//! The games, and what is known of a game without a state.

use core::fmt;

use super::Move;
use crate::games::ace_exorcist::AceExorcist;
use crate::games::angels_and_demons::AngelsAndDemons;
use crate::games::cresnovian_chess::CresnovianChess;
use crate::games::ludus_magus::LudusMagus;
use crate::{BadNotation, Game, GameInfo};

/// A game of this build.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameId {
    /// Simultaneous secret choices on a board.
    AngelsAndDemons,
    /// Cards, hidden hands and reactions to attacks.
    AceExorcist,
    /// Abilities, free text and very large move spaces.
    CresnovianChess,
    /// Two Magi and their Elements on two interlocked boards.
    LudusMagus,
}

impl GameId {
    /// Every game, in catalog order.
    pub const ALL: [Self; 4] =
        [Self::AceExorcist, Self::LudusMagus, Self::AngelsAndDemons, Self::CresnovianChess];

    /// Returns the id, such as `angels-and-demons`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.info().id
    }

    /// Returns the game with this id; the match is exact.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.as_str() == text)
    }

    /// Returns the game's catalog entry.
    #[must_use]
    pub const fn info(self) -> &'static GameInfo {
        match self {
            Self::AngelsAndDemons => &AngelsAndDemons::INFO,
            Self::AceExorcist => &AceExorcist::INFO,
            Self::CresnovianChess => &CresnovianChess::INFO,
            Self::LudusMagus => &LudusMagus::INFO,
        }
    }

    /// Parses a move from its notation, legal or not.
    pub fn parse_move(self, text: &str) -> Result<Move, BadNotation> {
        match self {
            Self::AngelsAndDemons => AngelsAndDemons::parse_move(text).map(Move::AngelsAndDemons),
            Self::AceExorcist => AceExorcist::parse_move(text).map(Move::AceExorcist),
            Self::CresnovianChess => CresnovianChess::parse_move(text).map(Move::CresnovianChess),
            Self::LudusMagus => LudusMagus::parse_move(text).map(Move::LudusMagus),
        }
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
