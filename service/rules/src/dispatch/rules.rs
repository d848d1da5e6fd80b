//! One version of a game's rules: where the code of a match is chosen.

use core::fmt;

use super::other::{self, OtherVersion};
use super::{GameId, Options, State};
use crate::games::ace_exorcist::AceExorcist;
use crate::games::angels_and_demons::AngelsAndDemons;
use crate::games::cresnovian_chess::CresnovianChess;
use crate::games::ludus_magus::LudusMagus;
use crate::{BadOption, Game, GameInfo, Seed};

/// A version of a game's rules that a build has.
#[derive(Clone, Copy)]
pub struct Rules {
    game: GameId,
    rules_version: u32,
    info: &'static GameInfo,
    opening: Opening,
}

/// Sets up the opening under a rules version.
pub(super) type Opening = fn(&Options, u32, &Seed) -> Result<State, BadOption>;

impl Rules {
    /// Returns a version that the built-in game itself implements: its current one, or an older one whose
    /// paragraphs its state tells apart.
    #[must_use]
    pub const fn built_in(game: GameId, rules_version: u32) -> Self {
        Self { game, rules_version, info: game.info(), opening: open_built_in }
    }

    /// Returns a version whose code stands beside the built-in game's.
    #[must_use]
    pub const fn other<G: OtherVersion>() -> Self {
        Self {
            game: other::game::<G>(),
            rules_version: G::INFO.rules_version,
            info: &G::INFO,
            opening: other::open::<G>,
        }
    }

    /// Returns the game.
    #[must_use]
    pub const fn game(self) -> GameId {
        self.game
    }

    /// Returns the version's number.
    #[must_use]
    pub const fn rules_version(self) -> u32 {
        self.rules_version
    }

    /// Returns the catalog entry of the game under these rules.
    #[must_use]
    pub const fn info(self) -> &'static GameInfo {
        self.info
    }

    /// Sets up the opening of a match with options of this game.
    pub fn setup(self, options: &Options, seed: &Seed) -> Result<State, BadOption> {
        (self.opening)(options, self.rules_version, seed)
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, rules version {}", self.game, self.rules_version)
    }
}

fn open_built_in(options: &Options, version: u32, seed: &Seed) -> Result<State, BadOption> {
    match options {
        Options::AngelsAndDemons(options) => {
            AngelsAndDemons::opening(options, version, seed).map(State::AngelsAndDemons)
        }
        Options::AceExorcist(options) => AceExorcist::opening(options, version, seed).map(State::AceExorcist),
        Options::CresnovianChess(options) => {
            CresnovianChess::opening(options, version, seed).map(State::CresnovianChess)
        }
        Options::LudusMagus(options) => LudusMagus::opening(options, version, seed).map(State::LudusMagus),
    }
}
