//! Which rules versions stored matches are pinned to: those must stay in the code.

use std::collections::BTreeMap;

use journal::MatchStatus;
use replay::pinned_game;
use rules::GameId;

use super::Replayed;

/// One version of one game's rules, and the matches that need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesInUse {
    /// The game.
    pub game: String,
    /// The version; none for matches whose first event can't be read.
    pub rules_version: Option<u32>,
    /// What it is to this build.
    pub standing: Standing,
    /// Matches that wait for players.
    pub open: u64,
    /// Matches that are being played.
    pub running: u64,
    /// Matches that have ended.
    pub over: u64,
}

impl RulesInUse {
    /// All of them.
    pub fn matches(&self) -> u64 {
        self.open + self.running + self.over
    }
}

/// What a rules version is to this build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// New matches are played by it.
    New,
    /// It is there for matches that began by it.
    Kept,
    /// This build does not have it: its matches can't be replayed or played on.
    Missing,
}

impl Standing {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Kept => "kept",
            Self::Missing => "missing",
        }
    }

    fn of(game: &str, version: Option<u32>) -> Self {
        let Some((game, version)) = version.and_then(|version| Some((pinned_game(game, version)?, version)))
        else {
            return Self::Missing;
        };
        if game.info().rules_version == version { Self::New } else { Self::Kept }
    }
}

/// Matches by game, version, and how far they have come.
#[derive(Default)]
pub(super) struct Uses(BTreeMap<(String, Option<u32>), [u64; 3]>);

impl Uses {
    pub(super) fn count(&mut self, replayed: &Replayed) {
        let at = match replayed.status {
            MatchStatus::Open => 0,
            MatchStatus::Running => 1,
            MatchStatus::Over => 2,
        };
        self.0.entry((replayed.game.clone(), replayed.rules_version)).or_default()[at] += 1;
    }

    /// All that were met, and those of new matches, by game and version.
    pub(super) fn listed(mut self) -> Vec<RulesInUse> {
        for game in GameId::ALL {
            let info = game.info();
            self.0.entry((info.id.to_owned(), Some(info.rules_version))).or_default();
        }
        let listed = self.0.into_iter().map(|((game, rules_version), [open, running, over])| RulesInUse {
            standing: Standing::of(&game, rules_version),
            game,
            rules_version,
            open,
            running,
            over,
        });
        listed.collect()
    }
}
