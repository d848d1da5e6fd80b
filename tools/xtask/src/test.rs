//! `cargo xtask test`: every test of the workspace, with a real Postgres and a real grpcurl.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::postgres::TestDatabase;
use crate::programs::{Profile, Programs};
use crate::steps::{Job, Steps};
use crate::{
    child, faults, monitoring, openapi, output, pictures, python_client, repository, tools,
    typescript_client, verifier, web,
};

/// Run every test of the workspace, with a real Postgres and a real grpcurl
///
/// Postgres: the server in MATCHBOOK_TEST_DATABASE_URL (the URL of a superuser; tests create databases of
/// their own). If the variable is not set, a throwaway server of the newest installed Postgres, on a free
/// port of 127.0.0.1, removed at the end. If Postgres is not installed and this is root on Debian, Debian's
/// package is installed first.
///
/// grpcurl: from PATH, otherwise downloaded once into target/tools. curl, fish, jq and zsh: from PATH,
/// otherwise Debian's packages, likewise.
///
/// Agents: the `mcp` package (from PyPI) plays a match of each game through `matchbook mcp`.
///
/// OpenAPI: redocly (from npm) lints the document of a running service. schemathesis (from PyPI) calls that
/// service for a minute within the document; server errors, undocumented statuses and responses outside their
/// schema fail.
///
/// Clients: openapi-generator (from PyPI, with Debian's Java), openapi-python-client (from PyPI) and
/// openapi-typescript (from npm) each make a client from the document, which plays a match.
///
/// Python: the package in clients/python is built, checked by mypy and pyright, and tested on those of Python
/// 3.11, 3.12 and 3.13 that are installed: all tests on the oldest, those that can differ on the others; the
/// summary lists them.
///
/// TypeScript: the package in clients/typescript is built, linted, and tested in Node and in Chromium.
///
/// Verifier: the page's verifier is built as WebAssembly, compared with `matchbook verify` in Node, and used
/// in Chromium; the reference at `/docs` makes calls there.
///
/// Page: tsc checks the modules of the page at `/`; windows of Chromium play whole matches through it, and
/// axe-core looks at it.
///
/// Monitoring: `cargo xtask monitoring`. Faults: `cargo xtask faults`, with all scenarios, for a minute or
/// two. Pictures: `cargo xtask pictures --check`.
///
/// Tests run in cargo-nextest if it is installed, otherwise in `cargo test`; documentation tests follow. A
/// test that would skip itself because a program is missing fails instead.
///
/// To test one package without all this: `cargo test -p rules`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  cargo xtask test                       all tests
  cargo xtask test -- -p journal         one package, without documentation tests
  cargo xtask test -- contract           tests with `contract` in their names
  cargo xtask test -- -E 'test(fork)'    a nextest filter expression")]
pub(crate) struct Arguments {
    /// Filter for `cargo nextest run` (or `cargo test`), passed on unchanged
    #[arg(last = true, value_name = "FILTER")]
    filter: Vec<String>,
}

/// The variable by which nextest takes the number of tests that run at once.
const TEST_THREADS: &str = "NEXTEST_TEST_THREADS";
/// How many tests run beside one for each core: many wait for a restart or a time limit.
const WAITING_TESTS: usize = 1;

/// The environment that tests run in.
struct TestEnvironment<'a> {
    database_url: &'a str,
    grpcurl: PathBuf,
    curl: PathBuf,
    mcp_python: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let mut steps = Steps::new();
    let everything = arguments.filter.is_empty();
    let programs = if everything { build(&mut steps) } else { None };
    let ready = !everything || programs.is_some();
    match steps.step("Postgres", TestDatabase::open).filter(|_| ready) {
        Some(database) => run_tests(&mut steps, &arguments.filter, &database),
        None => steps.skip("Tests", "an earlier step failed"),
    }
    match (everything, &programs) {
        (true, Some(programs)) => check_running_programs(&mut steps, programs),
        (true, None) => skip_others(&mut steps, "the build failed"),
        (false, _) => skip_others(&mut steps, "a filter was given"),
    }
    steps.finish()
}

/// Builds everything that tests and later steps run, while tools are downloaded.
fn build(steps: &mut Steps) -> Option<Programs> {
    let mut programs = None;
    steps.side_by_side(vec![
        Job::new("Build", |steps| programs = steps.step("Build", || Programs::build(Profile::Debug))),
        Job::step("Tools", find_tools),
    ]);
    programs
}

fn find_tools() -> Result<()> {
    use tools::{CHROMIUM, CURL, GRPCURL, HAPROXY, MCP_PYTHON, PROMETHEUS, PROMTOOL};
    use tools::{PYRIGHT, REDOCLY, SCHEMATHESIS};
    for tool in [CHROMIUM, CURL, GRPCURL, HAPROXY, MCP_PYTHON, PROMETHEUS, PROMTOOL] {
        output::print_line(tool.path()?.display());
    }
    for tool in [PYRIGHT, REDOCLY, SCHEMATHESIS] {
        output::print_line(tool.path()?.display());
    }
    for tool in openapi::clients::TOOLS {
        output::print_line(tool.path()?.display());
    }
    for python in python_client::prepare()? {
        output::print_line(python.program.display());
    }
    typescript_client::prepare()
}

fn run_tests(steps: &mut Steps, filter: &[String], database: &TestDatabase) {
    let Some([grpcurl, curl, mcp_python]) = steps.step("Programs", find_programs) else {
        return steps.skip("Tests", "a program is missing");
    };
    let environment = TestEnvironment { database_url: database.url(), grpcurl, curl, mcp_python };
    steps.step("Tests", || child::run(&mut environment.apply(tests(filter))));
    if filter.is_empty() {
        let documentation = || child::run(&mut environment.apply(documentation_tests()));
        steps.step("Documentation tests", documentation);
    }
}

/// Returns grpcurl, curl and a Python with the package `mcp`, once jq and the shells that tests find on
/// `PATH` are there too.
fn find_programs() -> Result<[PathBuf; 3]> {
    for program in [tools::FISH, tools::JQ, tools::ZSH] {
        program.path()?;
    }
    Ok([tools::GRPCURL.path()?, tools::CURL.path()?, tools::MCP_PYTHON.path()?])
}

/// Checks that run the built programs for a fixed time. Monitoring runs alone: its alerts would report a busy
/// machine.
fn check_running_programs(steps: &mut Steps, programs: &Programs) {
    steps.side_by_side(vec![
        Job::new("OpenAPI", |steps| openapi::check(steps, programs)),
        Job::new("Clients", |steps| openapi::clients::check(steps, programs)),
        Job::new("Python", |steps| python_client::check(steps, programs)),
        Job::new("TypeScript", |steps| typescript_client::check(steps, programs)),
        Job::step("Verifier", || verifier::check(programs)),
        Job::step("Faults", || faults::run_short(programs)),
        Job::step("Pictures", || pictures::check(programs)),
    ]);
    // Windows of Chromium need both cores.
    steps.step("Page", || web::check(programs));
    monitoring::check(steps, programs);
}

fn skip_others(steps: &mut Steps, reason: &str) {
    let everything = [
        "OpenAPI",
        "Clients",
        "Python",
        "TypeScript",
        "Verifier",
        "Faults",
        "Pictures",
        "Page",
        "Monitoring",
    ];
    for name in ["Documentation tests"].into_iter().chain(everything) {
        steps.skip(name, reason);
    }
}

impl TestEnvironment<'_> {
    fn apply(&self, mut command: Command) -> Command {
        command
            .env("MATCHBOOK_TEST_DATABASE_URL", self.database_url)
            .env("MATCHBOOK_GRPCURL", &self.grpcurl)
            .env("MATCHBOOK_CURL", &self.curl)
            .env("MATCHBOOK_MCP_PYTHON", &self.mcp_python)
            .env("MATCHBOOK_TEST_REQUIRE_ALL", "1");
        command
    }
}

fn tests(filter: &[String]) -> Command {
    let mut cargo = repository::cargo();
    if repository::has_cargo_command("nextest") {
        cargo.args(["nextest", "run"]);
        if std::env::var_os(TEST_THREADS).is_none() {
            let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
            cargo.env(TEST_THREADS, (cores + WAITING_TESTS).to_string());
        }
    } else {
        output::print_line("cargo-nextest is not installed; running `cargo test`, which is slower");
        cargo.args(["test", "--tests"]);
    }
    cargo.arg("--no-fail-fast");
    // Cargo ignores --package beside --workspace.
    if !filter.iter().any(|argument| selects_package(argument)) {
        cargo.arg("--workspace");
    }
    cargo.args(filter);
    cargo
}

fn documentation_tests() -> Command {
    let mut cargo = repository::cargo();
    cargo.args(["test", "--doc", "--workspace"]);
    cargo
}

fn selects_package(argument: &str) -> bool {
    argument.starts_with("-p") || argument.starts_with("--package")
}

#[cfg(test)]
mod tests {
    use super::{selects_package, tests};

    fn arguments(filter: &[&str]) -> Vec<String> {
        let filter: Vec<String> = filter.iter().map(|&argument| argument.to_owned()).collect();
        tests(&filter).get_args().map(|argument| argument.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_package_replaces_the_workspace() {
        assert!(arguments(&[]).contains(&"--workspace".to_owned()));
        assert!(arguments(&["fork"]).contains(&"--workspace".to_owned()));
        assert!(!arguments(&["-p", "rules"]).contains(&"--workspace".to_owned()));
    }

    #[test]
    fn every_spelling_of_the_package_flag_is_recognized() {
        for argument in ["-p", "-prules", "--package", "--package=rules"] {
            assert!(selects_package(argument), "{argument}");
        }
        assert!(!selects_package("--profile"));
        assert!(!selects_package("play"));
    }
}
