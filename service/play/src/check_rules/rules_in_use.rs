//! The rules versions that stored matches are pinned to, which the code must keep.

use std::collections::BTreeMap;

use journal::MatchStatus;
use replay::pinned_game;
use rules::GameId;

use super::MatchReplay;

/// One version of a game's rules and the number of matches that need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesInUse {
    /// The game's id.
    pub game: String,
    /// The version; `None` for matches whose first event cannot be read.
    pub rules_version: Option<u32>,
    /// Whether this build has the version.
    pub version_status: VersionStatus,
    /// Matches with unclaimed seats.
    pub open: u64,
    /// Running matches.
    pub running: u64,
    /// Matches that are over.
    pub over: u64,
}

impl RulesInUse {
    /// Returns the number of matches in any status.
    pub fn matches(&self) -> u64 {
        self.open + self.running + self.over
    }
}

/// Whether a build has a rules version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionStatus {
    /// New matches use this version.
    New,
    /// The build keeps this version for existing matches.
    Kept,
    /// The build lacks this version, so its matches can be neither replayed nor continued.
    Missing,
}

impl VersionStatus {
    /// Returns the status in lower case, as reports show it.
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

/// Number of open, running and finished matches by game and rules version.
#[derive(Default)]
pub(super) struct UsageCounts(BTreeMap<(String, Option<u32>), [u64; 3]>);

impl UsageCounts {
    pub(super) fn count(&mut self, replayed: &MatchReplay) {
        let index = match replayed.status {
            MatchStatus::Open => 0,
            MatchStatus::Running => 1,
            MatchStatus::Over => 2,
        };
        self.0.entry((replayed.game.clone(), replayed.rules_version)).or_default()[index] += 1;
    }

    /// Returns the counted versions and those of new matches, by game and version.
    pub(super) fn into_list(mut self) -> Vec<RulesInUse> {
        for game in GameId::ALL {
            let info = game.info();
            self.0.entry((info.id.to_owned(), Some(info.rules_version))).or_default();
        }
        let versions = self.0.into_iter().map(|((game, rules_version), [open, running, over])| RulesInUse {
            version_status: VersionStatus::of(&game, rules_version),
            game,
            rules_version,
            open,
            running,
            over,
        });
        versions.collect()
    }
}
