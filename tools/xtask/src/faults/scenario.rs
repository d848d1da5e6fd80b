//! The scenarios: the faults of each, and how each runs from start to end.

use std::time::{Duration, Instant};

use anyhow::Result;
use rand::rngs::StdRng;
use serde::Serialize;

use super::deployment::{Deployment, PostgresAccess};
use super::injection::{InjectedFaults, Injector};
use super::replica::ReplicaSettings;
use super::report::ScenarioOutcome;
use super::workload::{PlayedRoutes, Workload};

/// The time per move in matches with clocks: less than the wrong clock is ahead, minus the service's grace
/// period.
const MOVE_MS: u32 = 4500;
/// The minimum lead that ids of a replica must show if its clock is 5 s ahead.
const MIN_LEAD_MS: i64 = 4000;
/// The time until a suspended replica is taken for dead; short, since the scenario waits for it.
const SILENCE_MS: u64 = 6000;

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
}

/// The settings of a run.
pub(super) struct RunSettings {
    pub(super) seconds: u64,
    pub(super) matches: u64,
    pub(super) seed: u64,
}

impl Scenario {
    pub(super) const ALL: [Self; 7] =
        [Self::Steady, Self::Kill, Self::Stop, Self::Rolling, Self::Postgres, Self::Cut, Self::Clock];

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
        }
    }

    /// Runs the scenario, from the start of the replicas to the referee's findings.
    pub(super) fn run(
        self,
        deployment: &mut Deployment,
        settings: &RunSettings,
        rng: &mut StdRng,
    ) -> Result<ScenarioOutcome> {
        let silence_ms = (self == Self::Stop).then_some(SILENCE_MS);
        let access = if self == Self::Cut { PostgresAccess::Proxied } else { PostgresAccess::Direct };
        let wrong_clock = (self == Self::Clock).then_some(0);
        deployment.start_all(ReplicaSettings { silence_ms, ..Default::default() }, access, wrong_clock)?;
        let routes = if self == Self::Rolling { PlayedRoutes::Balanced } else { PlayedRoutes::All };
        let move_ms = (self == Self::Clock).then_some(MOVE_MS);
        let workload = Workload::start(deployment, settings, routes, move_ms)?;
        let end = Instant::now() + Duration::from_secs(settings.seconds);
        let injected = InjectedFaults::default();
        let mut injector = Injector { deployment, rng, end, injected, problems: Vec::new() };
        injector.run(self)?;
        let Injector { injected, mut problems, .. } = injector;
        let figures = workload.finish()?;
        problems.extend(deployment.terminate_all()?);
        if self == Self::Rolling && figures.gave_up > 0 {
            problems.push(format!("{} calls failed after all retries of a client", figures.gave_up));
        }
        if self == Self::Clock && figures.lead_ms < MIN_LEAD_MS {
            let lead = figures.lead_ms;
            problems
                .push(format!("no clock was ahead (ids lead by {lead} ms), so the scenario tested nothing"));
        }
        if !injected.fit(self) {
            problems.push(format!("the scenario's faults were not injected: {injected:?}"));
        }
        if figures.moves == 0 {
            problems.push("no move was made".to_owned());
        }
        Ok(ScenarioOutcome { scenario: self, seconds: settings.seconds, injected, figures, problems })
    }
}
