//! `cargo xtask verifier`: the verifier of the page, as WebAssembly, against `matchbook verify`.

use std::fs;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::programs::{Profile, Programs};
use crate::steps::Steps;
use crate::{child, repository, tools, typescript_client};

/// Build the page's verifier as WebAssembly and compare it with `matchbook verify`
///
/// Both read every log file of the tests, honest and forged, in Node 20 or later; then the page verifies some
/// in Chromium, and the reference at `/docs` makes calls there. `rust-toolchain.toml` names the target
/// wasm32-unknown-unknown. `cargo xtask test` includes this.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments) -> ExitCode {
    let mut steps = Steps::new();
    if let Some(programs) = steps.step("Build", || Programs::build(Profile::Debug)) {
        steps.step("Verifier", || check(&programs));
    }
    steps.finish()
}

/// Builds the verifier as the service does, and tests it.
pub(crate) fn check(programs: &Programs) -> Result<()> {
    // Its packages include the driver of Chromium.
    typescript_client::prepare()?;
    let folder = repository::root().join("target/verifier");
    fs::create_dir_all(&folder).context("cannot create target/verifier")?;
    let file = folder.join("verifier.wasm");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args([
        "run",
        "--quiet",
        "--package",
        "web",
        "--features",
        "verifier",
        "--example",
        "save_verifier",
    ]);
    child::run(cargo.arg("--").arg(&file).current_dir(repository::root()))?;
    let mut tests = Command::new("node");
    let names = ["verifier", "verify_page", "docs_page"];
    tests.arg("--test").args(names.map(|name| format!("clients/web/tests/{name}.test.mjs")));
    tests.current_dir(repository::root()).env("VERIFIER", &file);
    tests.env("MATCHBOOK", programs.path("matchbook")).env("MATCHBOOKD", programs.path("matchbookd"));
    child::run(tests.env("MATCHBOOK_CHROMIUM", tools::CHROMIUM.path()?))
}
