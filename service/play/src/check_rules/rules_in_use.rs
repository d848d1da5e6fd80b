//! The rules versions that stored matches are pinned to, which the code must keep.

use std::collections::BTreeMap;

use journal::MatchStatus;
use rules::{GameId, Games, VersionStatus};

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

    /// Returns the counted versions and those of this build, by game and version.
    pub(super) fn into_list(mut self, games: Games) -> Vec<RulesInUse> {
        for game in GameId::ALL {
            for version in games.versions(game) {
                self.0.entry((game.as_str().to_owned(), Some(version))).or_default();
            }
        }
        let versions = self.0.into_iter().map(|((game, rules_version), [open, running, over])| RulesInUse {
            version_status: rules_version
                .map_or(VersionStatus::Missing, |version| games.status(&game, version)),
            game,
            rules_version,
            open,
            running,
            over,
        });
        versions.collect()
    }
}
