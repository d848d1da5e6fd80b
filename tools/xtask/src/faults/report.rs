//! What a fault run has come to, for people and programs.

use serde::{Deserialize, Serialize};

use super::bring::Deeds;
use super::scenario::Scenario;
use crate::programs::Profile;

/// The figures of one scenario, as the program of `tools/faults` prints them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Figures {
    pub(super) matches: usize,
    pub(super) moves: usize,
    pub(super) events: usize,
    pub(super) calls: u64,
    pub(super) retried: u64,
    pub(super) gave_up: u64,
    pub(super) repeated: u64,
    pub(super) resumed: u64,
    pub(super) lost: usize,
    pub(super) doubled: usize,
    pub(super) findings: usize,
    pub(super) told: Vec<String>,
    pub(super) longest_pause_ms: f64,
    pub(super) slowest_call_ms: f64,
    pub(super) watch: Delays,
    pub(super) lead_ms: i64,
}

/// From a move's acknowledgement until watchers on other replicas saw it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Delays {
    pub(super) count: usize,
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
    pub(super) max_ms: f64,
}

/// One scenario.
#[derive(Debug, Serialize)]
pub(super) struct Outcome {
    pub(super) scenario: Scenario,
    pub(super) seconds: u64,
    pub(super) deeds: Deeds,
    pub(super) figures: Figures,
    /// What processes did that they should not have done.
    pub(super) complaints: Vec<String>,
}

/// The whole run.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) profile: Build,
    pub(super) replicas: usize,
    pub(super) seed: u64,
    pub(super) outcomes: Vec<Outcome>,
}

/// How the programs were built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Build {
    Release,
    Debug,
}

impl From<Profile> for Build {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Release => Self::Release,
            Profile::Debug => Self::Debug,
        }
    }
}

impl Outcome {
    pub(super) fn is_clean(&self) -> bool {
        self.figures.findings == 0 && self.complaints.is_empty()
    }
}

impl Report {
    /// Whether the referee found nothing, and no process did what it should not have done.
    pub(super) fn is_clean(&self) -> bool {
        self.outcomes.iter().all(Outcome::is_clean)
    }
}
