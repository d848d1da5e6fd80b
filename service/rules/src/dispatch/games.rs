//! The rules versions that a build has.

use alloc::vec::Vec;

use super::{GameId, Rules};

/// The rules that this build is made with. To keep a version that stored matches need, leave its line here
/// (see CONTRIBUTING.md).
const BUILT_IN: &[Rules] = &[
    Rules::built_in(GameId::AceExorcist, 1),
    Rules::built_in(GameId::LudusMagus, 1),
    Rules::built_in(GameId::AngelsAndDemons, 1),
    Rules::built_in(GameId::CresnovianChess, 1),
];

/// The rules versions of every game that a service, a verifier or a client can play and replay.
#[derive(Clone, Copy, Debug)]
pub struct Games(&'static [Rules]);

/// Whether a set of games has a rules version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionStatus {
    /// New matches use this version unless they ask for another.
    Current,
    /// An older version, kept for existing matches.
    Kept,
    /// The version is not there: its matches can be neither replayed nor continued.
    Missing,
}

impl VersionStatus {
    /// Returns the status in lower case, as reports show it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Kept => "kept",
            Self::Missing => "missing",
        }
    }
}

impl Default for Games {
    fn default() -> Self {
        Self::built_in()
    }
}

impl Games {
    /// Returns the rules of this build.
    #[must_use]
    pub const fn built_in() -> Self {
        Self(BUILT_IN)
    }

    /// Adds a version. The table is never freed, so this is for a program's start.
    ///
    /// # Panics
    ///
    /// Panics if the version is already there.
    #[must_use]
    pub fn with(self, rules: Rules) -> Self {
        let (game, version) = (rules.game(), rules.rules_version());
        assert!(self.find(game, version).is_none(), "rules version {version} of {game} is registered twice");
        let all: Vec<_> = self.0.iter().copied().chain([rules]).collect();
        Self(all.leak())
    }

    /// Returns the rules of new matches: the game's newest version.
    #[must_use]
    pub fn current(self, game: GameId) -> Rules {
        let versions = self.of(game);
        versions.max_by_key(|rules| rules.rules_version()).expect("each game has a version in this build")
    }

    /// Returns the numbers of a game's versions, newest first.
    #[must_use]
    pub fn versions(self, game: GameId) -> Vec<u32> {
        let mut versions: Vec<_> = self.of(game).map(Rules::rules_version).collect();
        versions.sort_unstable_by(|a, b| b.cmp(a));
        versions
    }

    /// Returns a version of a game.
    #[must_use]
    pub fn find(self, game: GameId, rules_version: u32) -> Option<Rules> {
        self.of(game).find(|rules| rules.rules_version() == rules_version)
    }

    /// Returns the rules that a stored match is pinned to.
    #[must_use]
    pub fn pinned(self, game: &str, rules_version: u32) -> Option<Rules> {
        self.find(GameId::parse(game)?, rules_version)
    }

    /// Returns whether a version is current, kept or missing.
    #[must_use]
    pub fn status(self, game: &str, rules_version: u32) -> VersionStatus {
        match self.pinned(game, rules_version) {
            None => VersionStatus::Missing,
            Some(rules) if self.current(rules.game()).rules_version() == rules_version => {
                VersionStatus::Current
            }
            Some(_) => VersionStatus::Kept,
        }
    }

    fn of(self, game: GameId) -> impl Iterator<Item = Rules> {
        self.0.iter().copied().filter(move |rules| rules.game() == game)
    }
}
