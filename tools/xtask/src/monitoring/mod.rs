//! `cargo xtask monitoring`: the files of deploy/monitoring against the truth. promtool reads the rules and runs their
//! tests; then bots play on a service that a real Prometheus scrapes, and every query of dashboard and alerts is asked.

mod dashboard;
mod play;
mod prometheus;
mod sums;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::steps::Steps;
use crate::{child, repository};
use dashboard::Dashboard;
use play::Scene;
use prometheus::Prometheus;

/// Check dashboard and alerts on a running service: bots play, Prometheus scrapes, every query is asked
///
/// promtool and prometheus come from PATH (Debian's package `prometheus`). What the panels showed is printed at the end.
/// It is a part of `cargo xtask test`.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> Result<ExitCode> {
    let mut steps = Steps::new();
    check(&mut steps);
    Ok(steps.finish())
}

/// The same as a part of something larger.
pub(crate) fn check(steps: &mut Steps) {
    steps.step("Monitoring: promtool", promtool);
    let Some(scene) = steps.step("Monitoring: a service that is played on", Scene::start) else { return };
    let scraping = || Prometheus::start(scene.folder(), scene.address());
    let Some(prometheus) = steps.step("Monitoring: Prometheus", scraping) else { return };
    let Some(played) = steps.step("Monitoring: bots", || scene.play()) else { return };
    steps.step("Monitoring: sums", || sums::check(&prometheus, &played));
    steps.step("Monitoring: dashboard", || {
        Dashboard::read(&file("dashboard/matchbook.json"))?.ask(&prometheus)
    });
    steps.step("Monitoring: alerts", || prometheus.check_alerts());
}

fn promtool() -> Result<()> {
    let promtool = program("promtool")?;
    let run = |words: &[&str], path: &str| child::run(Command::new(&promtool).args(words).arg(file(path)));
    // The key that it names is made where it runs.
    run(&["check", "config", "--syntax-only"], "prometheus.yml")?;
    run(&["check", "rules"], "alerts/matchbook.yml")?;
    run(&["test", "rules"], "alerts_test.yml")
}

fn program(name: &str) -> Result<PathBuf> {
    repository::on_path(name)
        .with_context(|| format!("{name} is not on PATH: please install Debian's package `prometheus`"))
}

fn file(path: &str) -> PathBuf {
    repository::root().join("deploy/monitoring").join(path)
}
