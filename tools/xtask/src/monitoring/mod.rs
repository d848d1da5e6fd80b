//! `cargo xtask monitoring`: the files of `deploy/monitoring` against a running service.
//!
//! promtool checks the rules and runs their tests. Then bots play on a service that a real Prometheus
//! scrapes, and every query of the dashboard and the alerts is evaluated.

mod dashboard;
mod play;
mod prometheus;
mod totals;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use crate::programs::{Profile, Programs};
use crate::steps::Steps;
use crate::{child, repository, tools};
use dashboard::Dashboard;
use play::PlayedService;
use prometheus::Prometheus;

/// Check dashboard and alerts on a running service: bots play, Prometheus scrapes, every query is evaluated
///
/// promtool and prometheus come from Debian's package `prometheus`. The values of all panels are printed.
/// `cargo xtask test` includes this.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> ExitCode {
    let mut steps = Steps::new();
    if let Some(programs) = steps.step("Build", || Programs::build(Profile::Debug)) {
        check(&mut steps, &programs);
    }
    steps.finish()
}

/// Adds the checks to the steps of a chore.
pub(crate) fn check(steps: &mut Steps, programs: &Programs) {
    steps.step("Monitoring: promtool", promtool);
    let start = || PlayedService::start(programs);
    let Some(service) = steps.step("Monitoring: service", start) else { return };
    let scrape = || Prometheus::start(service.folder(), service.address());
    let Some(prometheus) = steps.step("Monitoring: Prometheus", scrape) else { return };
    let Some(played) = steps.step("Monitoring: bots", || service.play()) else { return };
    steps.step("Monitoring: totals", || totals::check(&prometheus, &played));
    steps.step("Monitoring: dashboard", || {
        Dashboard::read(&file("dashboard/matchbook.json"))?.evaluate(&prometheus)
    });
    steps.step("Monitoring: alerts", || prometheus.check_alerts());
}

fn promtool() -> Result<()> {
    let run = |arguments: &[&str], path: &str| {
        child::run(tools::PROMTOOL.command()?.args(arguments).arg(file(path)))
    };
    // Syntax only: the key file in it exists where the service is deployed.
    run(&["check", "config", "--syntax-only"], "prometheus.yml")?;
    run(&["check", "rules"], "alerts/matchbook.yml")?;
    run(&["test", "rules"], "alerts_test.yml")
}

fn file(path: &str) -> PathBuf {
    repository::root().join("deploy/monitoring").join(path)
}
