//! `cargo xtask test`: every test of the workspace, with a real Postgres and a real grpcurl.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::openapi::Described;
use crate::postgres::Database;
use crate::steps::Steps;
use crate::{child, faults, monitoring, repository, tools};

/// Run every test of the workspace, with a real Postgres and a real grpcurl
///
/// Postgres: the server that MATCHBOOK_TEST_DATABASE_URL names (the URL of a superuser; tests make
/// databases of their own in it); without it a throwaway server, made from the newest installed Postgres
/// on a free port of 127.0.0.1 and removed at the end; if none is installed and you are root on Debian,
/// Debian's package is installed first.
///
/// grpcurl: from PATH, else downloaded once into target/tools.
///
/// OpenAPI: redocly (from npm) lints the document of a running service, and schemathesis (from PyPI) calls
/// that service for a minute with what the document allows: no fault, no undocumented status, no answer outside
/// its schema.
///
/// Monitoring: promtool checks the alerts, and a real Prometheus asks what dashboard and alerts ask while bots play
/// (`cargo xtask monitoring` does that alone).
///
/// Faults: what `cargo xtask faults` does, for a minute or two.
///
/// Tests run in cargo-nextest if that is installed, else in `cargo test`; then come the documentation
/// tests. A test that would skip itself because something is missing fails here instead.
///
/// To work on one package without any of this: `cargo test -p rules`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  cargo xtask test                       everything
  cargo xtask test -- -p journal         one package, documentation tests left out
  cargo xtask test -- contract           tests with `contract` in their name
  cargo xtask test -- -E 'test(fork)'    a nextest filter expression")]
pub(crate) struct Arguments {
    /// Which tests: handed to `cargo nextest run` (or `cargo test`) as they stand
    #[arg(last = true, value_name = "FILTER")]
    filter: Vec<String>,
}

/// What the tests find in their environment.
struct Surroundings<'a> {
    database_url: &'a str,
    grpcurl: &'a Path,
    curl: &'a Path,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut steps = Steps::new();
    let grpcurl = steps.step("grpcurl", tools::grpcurl);
    let curl = steps.step("curl", tools::curl);
    let database = steps.step("Postgres", Database::open);
    match (&grpcurl, &curl, &database) {
        (Some(grpcurl), Some(curl), Some(database)) => {
            let surroundings = Surroundings { database_url: database.url(), grpcurl, curl };
            steps.step("Tests", || child::run(&mut surroundings.apply(tests(&arguments.filter))));
            if arguments.filter.is_empty() {
                steps.step("Documentation tests", || {
                    child::run(&mut surroundings.apply(documentation_tests()))
                });
            } else {
                steps.leave_out("Documentation tests", "a filter was given");
            }
        }
        _ => steps.leave_out("Tests", "what they need is missing, see above"),
    }
    // Before the table: stopping the server belongs to the time it took.
    drop(database);
    if arguments.filter.is_empty() {
        check_openapi(&mut steps);
        monitoring::check(&mut steps);
        steps.step("Faults", faults::short);
    } else {
        for left_out in ["OpenAPI", "Monitoring", "Faults"] {
            steps.leave_out(left_out, "a filter was given");
        }
    }
    Ok(steps.finish())
}

fn check_openapi(steps: &mut Steps) {
    let Some(described) = steps.step("A service and its OpenAPI", Described::start) else { return };
    steps.step("OpenAPI: redocly", || described.lint());
    steps.step("OpenAPI: schemathesis", || described.fuzz());
}

impl Surroundings<'_> {
    fn apply(&self, mut command: Command) -> Command {
        command
            .env("MATCHBOOK_TEST_DATABASE_URL", self.database_url)
            .env("MATCHBOOK_GRPCURL", self.grpcurl)
            .env("MATCHBOOK_CURL", self.curl)
            .env("MATCHBOOK_TEST_REQUIRE_ALL", "1");
        command
    }
}

fn tests(filter: &[String]) -> Command {
    let mut cargo = repository::cargo();
    if repository::has_cargo_command("nextest") {
        cargo.args(["nextest", "run"]);
    } else {
        println!("cargo-nextest is not installed; `cargo test` does the same, more slowly");
        cargo.args(["test", "--tests"]);
    }
    cargo.arg("--no-fail-fast");
    // Cargo lets --workspace win over --package, so it must not stand beside one.
    if !filter.iter().any(|word| names_a_package(word)) {
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

fn names_a_package(word: &str) -> bool {
    word.starts_with("-p") || word.starts_with("--package")
}

#[cfg(test)]
mod tests {
    use super::{names_a_package, tests};

    fn arguments(filter: &[&str]) -> Vec<String> {
        let filter: Vec<String> = filter.iter().map(|&word| word.to_owned()).collect();
        tests(&filter).get_args().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_package_takes_the_place_of_the_workspace() {
        assert!(arguments(&[]).contains(&"--workspace".to_owned()));
        assert!(arguments(&["fork"]).contains(&"--workspace".to_owned()));
        assert!(!arguments(&["-p", "rules"]).contains(&"--workspace".to_owned()));
    }

    #[test]
    fn packages_are_recognized_in_every_spelling() {
        for word in ["-p", "-prules", "--package", "--package=rules"] {
            assert!(names_a_package(word), "{word}");
        }
        assert!(!names_a_package("--profile"));
        assert!(!names_a_package("play"));
    }
}
