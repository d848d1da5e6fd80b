//! `cargo xtask typescript`: the TypeScript package, installed by its lock file, built as it is published,
//! linted, and tested in Node and in Chromium.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::programs::{Profile, Programs};
use crate::steps::{Job, Steps};
use crate::{child, repository, tools};

/// How long one of the package's scripts may take, in seconds. The tests take about 60.
const TIMEOUT_SECONDS: &str = "900";

/// The oldest supported Node.js.
const MIN_NODE: u32 = 20;

/// Build, check and test the TypeScript package in clients/typescript
///
/// Its dependencies are installed from npm by its lock file, Chromium from Debian. The tests run against the
/// built service, in Node 20 or later and in Chromium. `cargo xtask test` includes this.
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
    if steps.step("TypeScript: package", build).is_none() {
        return;
    }
    steps.side_by_side(vec![
        Job::step("TypeScript: lint", || child::run(&mut script("lint"))),
        Job::step("TypeScript: tests", || test(programs)),
    ]);
}

/// Installs what the package's lock file names, unless it is installed.
pub(crate) fn prepare() -> Result<()> {
    install(&folder())
}

/// Installs what the lock file of a folder names, unless it is installed.
pub(crate) fn install(folder: &Path) -> Result<()> {
    let node = child::query(Command::new("node").arg("--version")).unwrap_or_default();
    let major = node.trim_start_matches('v').split('.').next().and_then(|major| major.parse().ok());
    if major.is_none_or(|major: u32| major < MIN_NODE) {
        bail!("Node.js {MIN_NODE} or later with npm is required; `node --version` says `{node}`");
    }
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    // Written last: an installation that has it with this content is complete.
    let marker = "node_modules/installed";
    let wanted = read("package-lock.json");
    if read(marker) == wanted {
        return Ok(());
    }
    let mut npm = npm(folder);
    // Install scripts could download anything from anywhere, and no package here needs its own.
    child::run(npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))?;
    fs::write(folder.join(marker), wanted)
        .with_context(|| format!("cannot write in {}", folder.join("node_modules").display()))
}

/// Builds the package, after installing what it needs.
pub(crate) fn build() -> Result<()> {
    prepare()?;
    child::run(&mut script("build"))
}

fn test(programs: &Programs) -> Result<()> {
    let mut tests = script("test");
    tests.env("MATCHBOOK_TEST_SERVICE", programs.path("matchbookd"));
    child::run(tests.env("MATCHBOOK_CHROMIUM", tools::CHROMIUM.path()?))
}

/// Returns a command for a script of the package, which is ended after a while.
fn script(name: &str) -> Command {
    let mut command = npm(&folder());
    command.args(["run", name]);
    command
}

fn npm(folder: &Path) -> Command {
    let mut command = Command::new("timeout");
    command.args([TIMEOUT_SECONDS, "npm"]).current_dir(folder);
    command
}

/// Returns the package's folder.
pub(crate) fn folder() -> PathBuf {
    repository::root().join("clients/typescript")
}
