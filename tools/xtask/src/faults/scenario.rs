//! The scenarios by name, and the settings of a run.

use serde::Serialize;

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(super) enum Scenario {
    /// No faults
    Steady,
    /// Replicas are killed (SIGKILL) and restarted
    Kill,
    /// Replicas are suspended (SIGSTOP) and resumed, one after the others have fenced it
    Stop,
    /// Replicas are restarted one by one (SIGTERM), all calls through HAProxy
    Rolling,
    /// Postgres is killed and restarted
    Postgres,
    /// Connections to Postgres are cut during commits
    Cut,
    /// One replica's clock is 5 s ahead, in matches with clocks
    Clock,
    /// Postgres' primary is killed, suspended, cut off, or replaced on purpose
    Failover,
}

/// What the replicas run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(super) enum Suite {
    /// One Postgres
    Replicas,
    /// Three Postgres under Patroni, with synchronous replication
    Failover,
}

impl Suite {
    /// Returns the scenarios of this suite.
    pub(super) fn scenarios(self) -> Vec<Scenario> {
        let all = Scenario::ALL.into_iter();
        all.filter(|scenario| (*scenario == Scenario::Failover) == (self == Self::Failover)).collect()
    }

    /// Returns how long each scenario lasts unless the command line says.
    pub(super) fn default_seconds(self) -> u64 {
        match self {
            Self::Replicas => 30,
            Self::Failover => 240,
        }
    }
}

/// The settings of a run.
pub(super) struct RunSettings {
    pub(super) seconds: u64,
    pub(super) matches: u64,
    pub(super) seed: u64,
}

impl Scenario {
    pub(super) const ALL: [Self; 8] = [
        Self::Steady,
        Self::Kill,
        Self::Stop,
        Self::Rolling,
        Self::Postgres,
        Self::Cut,
        Self::Clock,
        Self::Failover,
    ];

    /// Returns the name on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Steady => "steady",
            Self::Kill => "kill",
            Self::Stop => "stop",
            Self::Rolling => "rolling",
            Self::Postgres => "postgres",
            Self::Cut => "cut",
            Self::Clock => "clock",
            Self::Failover => "failover",
        }
    }

    /// Returns a description for progress output.
    pub(super) fn description(self) -> &'static str {
        match self {
            Self::Steady => "no faults",
            Self::Kill => "replicas are killed",
            Self::Stop => "replicas are suspended and resumed",
            Self::Rolling => "replicas are restarted one by one",
            Self::Postgres => "Postgres is killed",
            Self::Cut => "connections to Postgres are cut",
            Self::Clock => "a replica's clock is 5 s ahead",
            Self::Failover => "Postgres' primary is killed, suspended, cut off, or replaced",
        }
    }
}
