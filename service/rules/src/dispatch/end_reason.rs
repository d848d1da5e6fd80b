//! Why the rules of any game end a match; clients dispatch on it.

use alloc::vec::Vec;

use super::GameId;
use crate::Game;
use crate::games::ace_exorcist::{self, AceExorcist};
use crate::games::angels_and_demons::{self, AngelsAndDemons};
use crate::games::cresnovian_chess::{self, CresnovianChess};
use crate::games::ludus_magus::{self, LudusMagus};

/// Why the rules of any game end a match (G-7).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The count of covered spaces.
    AngelsAndDemons(angels_and_demons::Reason),
    /// The ritual, hit points, an empty stack, or repetition.
    AceExorcist(ace_exorcist::Reason),
    /// A lost kingdom, or the last turn.
    CresnovianChess(cresnovian_chess::Reason),
    /// A captured or bound Magus, or one of the draws.
    LudusMagus(ludus_magus::Reason),
}

impl Reason {
    /// Returns every reason of the game.
    #[must_use]
    pub fn all_of(game: GameId) -> Vec<Self> {
        match game {
            GameId::AngelsAndDemons => own::<AngelsAndDemons>(Self::AngelsAndDemons),
            GameId::AceExorcist => own::<AceExorcist>(Self::AceExorcist),
            GameId::CresnovianChess => own::<CresnovianChess>(Self::CresnovianChess),
            GameId::LudusMagus => own::<LudusMagus>(Self::LudusMagus),
        }
    }

    /// Returns the fixed word, such as `count`, unique within its game.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AngelsAndDemons(reason) => AngelsAndDemons::reason_word(reason),
            Self::AceExorcist(reason) => AceExorcist::reason_word(reason),
            Self::CresnovianChess(reason) => CresnovianChess::reason_word(reason),
            Self::LudusMagus(reason) => LudusMagus::reason_word(reason),
        }
    }
}

fn own<G: Game>(wrap: impl Fn(G::Reason) -> Reason) -> Vec<Reason> {
    G::REASONS.iter().copied().map(wrap).collect()
}
