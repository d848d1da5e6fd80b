//! `cargo xtask web`: the page at `/`, its types checked and used in Chromium.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::programs::{Profile, Programs};
use crate::steps::Steps;
use crate::{child, repository, tools, typescript_client};

/// The tests in clients/web/tests, the longest ones first. The verifier's and those of `/docs` are with
/// `cargo xtask verifier`.
const TESTS: [&str; 11] = [
    "whole_matches",
    "accessible_pages",
    "seats",
    "playing",
    "keys",
    "lasting",
    "sealed",
    "replay",
    "secrets",
    "unusual",
    "files",
];

/// How long the tests may take, in seconds. They take about 300.
const TIMEOUT_SECONDS: &str = "1200";

/// Check and test the page that the service serves at `/`
///
/// Its tools are installed from npm by the lock file in clients/web, Chromium from Debian. tsc checks the
/// types of its modules. Windows of Chromium play whole matches against the built service, watch and replay
/// them, and axe-core looks at each page. Needs Node 20 or later; `cargo xtask test` includes this.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Folder for a screenshot of each page and width, light and dark
    #[arg(long, value_name = "FOLDER")]
    screenshots: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let mut steps = Steps::new();
    if let Some(programs) = steps.step("Build", || Programs::build(Profile::Debug)) {
        steps.step("Page", || check_with(&programs, arguments));
    }
    steps.finish()
}

/// Checks the page's types and runs its tests.
pub(crate) fn check(programs: &Programs) -> Result<()> {
    check_with(programs, &Arguments { screenshots: None })
}

fn check_with(programs: &Programs, arguments: &Arguments) -> Result<()> {
    let folder = repository::root().join("clients/web");
    typescript_client::install(&folder)?;
    child::run(Command::new("npx").args(["--no-install", "tsc", "-p", "."]).current_dir(&folder))?;
    let mut tests = Command::new("timeout");
    // Two files at a time: while one waits for its service or for a clock, the other one works.
    tests.args([TIMEOUT_SECONDS, "node", "--test", "--test-concurrency=2"]);
    tests.args(TESTS.map(|name| format!("tests/{name}.test.mjs"))).current_dir(&folder);
    tests.env("MATCHBOOKD", programs.path("matchbookd"));
    if let Some(folder) = &arguments.screenshots {
        tests.env("SCREENSHOTS", std::path::absolute(folder)?);
    }
    child::run(tests.env("MATCHBOOK_CHROMIUM", tools::CHROMIUM.path()?))
}
