//! Runs one scenario: starts replicas and players, injects the faults, and judges the outcome.

use std::time::{Duration, Instant};

use anyhow::Result;
use rand::rngs::StdRng;

use super::database::PostgresAccess;
use super::deployment::Deployment;
use super::injection::{InjectedFaults, Injector};
use super::replica::ReplicaSettings;
use super::report::ScenarioOutcome;
use super::scenario::{RunSettings, Scenario};
use super::workload::{PlayedRoutes, Workload};

/// The time per move in matches with clocks: less than the wrong clock is ahead, minus the service's grace
/// period.
const MOVE_MS: u32 = 4500;
/// The minimum lead that ids of a replica must show if its clock is 5 s ahead.
const MIN_LEAD_MS: i64 = 4000;
/// The time until a suspended replica is taken for dead; short, since the scenario waits for it.
const SILENCE_MS: u64 = 6000;

/// Runs the scenario, from the start of the replicas to the referee's findings.
pub(super) fn run(
    scenario: Scenario,
    deployment: &mut Deployment,
    settings: &RunSettings,
    rng: &mut StdRng,
) -> Result<ScenarioOutcome> {
    let silence_ms = (scenario == Scenario::Stop).then_some(SILENCE_MS);
    let access = if scenario == Scenario::Cut { PostgresAccess::Proxied } else { PostgresAccess::Direct };
    let wrong_clock = (scenario == Scenario::Clock).then_some(0);
    deployment.start_all(ReplicaSettings { silence_ms, ..Default::default() }, access, wrong_clock)?;
    let routes = if scenario == Scenario::Rolling { PlayedRoutes::Balanced } else { PlayedRoutes::All };
    let move_ms = (scenario == Scenario::Clock).then_some(MOVE_MS);
    let workload = Workload::start(deployment, settings, routes, move_ms)?;
    let end = Instant::now() + Duration::from_secs(settings.seconds);
    let injected = InjectedFaults::default();
    let mut injector = Injector { deployment, rng, end, injected, problems: Vec::new() };
    injector.run(scenario)?;
    let Injector { injected, mut problems, .. } = injector;
    let figures = workload.finish()?;
    problems.extend(deployment.terminate_all()?);
    if scenario == Scenario::Rolling && figures.gave_up > 0 {
        problems.push(format!("{} calls failed after all retries of a client", figures.gave_up));
    }
    if scenario == Scenario::Clock && figures.lead_ms < MIN_LEAD_MS {
        let lead = figures.lead_ms;
        problems.push(format!("no clock was ahead (ids lead by {lead} ms), so the scenario tested nothing"));
    }
    if !injected.fit(scenario) {
        problems.push(format!("the scenario's faults were not injected: {injected:?}"));
    }
    if figures.moves == 0 {
        problems.push("no move was made".to_owned());
    }
    Ok(ScenarioOutcome { scenario, seconds: settings.seconds, injected, figures, problems })
}
