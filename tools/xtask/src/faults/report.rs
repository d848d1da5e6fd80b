//! The results of a fault run.

use serde::{Deserialize, Serialize};

use super::injection::InjectedFaults;
use super::scenario::Scenario;

/// The figures of one scenario, as the program of `tools/faults` prints them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct WorkloadFigures {
    pub(super) matches: usize,
    pub(super) moves: usize,
    pub(super) events: usize,
    pub(super) calls: u64,
    pub(super) retried: u64,
    pub(super) gave_up: u64,
    pub(super) resent: u64,
    pub(super) resumed: u64,
    pub(super) lost: usize,
    pub(super) doubled: usize,
    pub(super) findings: usize,
    pub(super) first_findings: Vec<String>,
    pub(super) longest_pause_ms: f64,
    pub(super) slowest_call_ms: f64,
    pub(super) watch: WatchDelays,
    pub(super) lead_ms: i64,
}

/// Delays from a move's acknowledgement until watchers on other replicas received it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct WatchDelays {
    pub(super) count: usize,
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
    pub(super) max_ms: f64,
}

/// The result of one scenario.
#[derive(Debug, Serialize)]
pub(super) struct ScenarioOutcome {
    pub(super) scenario: Scenario,
    pub(super) seconds: u64,
    pub(super) injected: InjectedFaults,
    pub(super) figures: WorkloadFigures,
    /// Unexpected behaviour of processes.
    pub(super) problems: Vec<String>,
}

/// The results of a run.
#[derive(Debug, Serialize)]
pub(super) struct FaultReport {
    pub(super) profile: Build,
    pub(super) replicas: usize,
    pub(super) seed: u64,
    pub(super) outcomes: Vec<ScenarioOutcome>,
}

/// How the programs were built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Build {
    Release,
    Debug,
}

impl ScenarioOutcome {
    pub(super) fn is_clean(&self) -> bool {
        self.figures.findings == 0 && self.problems.is_empty()
    }
}

impl FaultReport {
    /// Returns whether the referee found nothing and all processes behaved as expected.
    pub(super) fn is_clean(&self) -> bool {
        self.outcomes.iter().all(ScenarioOutcome::is_clean)
    }
}
