//! One run of cargo-mutants: the sampled mutants of one package, in place.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::diff;
use super::package::MutatedPackage;
use super::sample::Mutant;
use crate::postgres::{self, TestDatabase};
use crate::{child, repository, tools};

/// Exit codes of cargo-mutants after a complete run: all caught, some missed, some timed out.
const COMPLETE: [Option<i32>; 3] = [Some(0), Some(2), Some(3)];

/// The mutants of a run, by what became of them.
#[derive(Debug, Default)]
pub(super) struct TrialOutcome {
    pub(super) caught: Vec<Mutant>,
    pub(super) missed: Vec<Mutant>,
    /// Caught as well: the tests never ended.
    pub(super) timed_out: Vec<Mutant>,
    /// Not a program: it doesn't compile.
    pub(super) unviable: Vec<Mutant>,
}

impl TrialOutcome {
    /// Drops the mutants of other fields in sampled lines, which cargo-mutants cannot leave out.
    fn keep(&mut self, sampled: &[Mutant]) {
        for mutants in [&mut self.caught, &mut self.missed, &mut self.timed_out, &mut self.unviable] {
            mutants.retain(|mutant| sampled.contains(mutant));
        }
    }
}

/// Runs the package's tests on every mutant.
pub(super) fn run(package: MutatedPackage, mutants: &[Mutant]) -> Result<TrialOutcome> {
    check_unchanged(package, "commit or stash them first: mutants are made in place")?;
    let database = if package.needs_postgres() { Some(TestDatabase::open()?) } else { None };
    let folder = repository::target_folder().join("mutants").join(package.name());
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;

    let mut command = cargo_mutants(package)?;
    command.args(["--in-place", "--no-shuffle", "--caught", "--unviable", "--output"]).arg(&folder);
    // A busy machine is no hang.
    command.args(["--timeout-multiplier", "5", "--minimum-test-timeout", "120"]);
    let lines = folder.join("sampled.diff");
    let diff = diff::of_lines(repository::root(), mutants)?;
    fs::write(&lines, diff).with_context(|| format!("cannot write {}", lines.display()))?;
    command.arg("--in-diff").arg(&lines);
    for mutant in mutants {
        command.args(["--re", &format!("^{}$", escape(&mutant.name))]);
    }
    command.args(["--", "--tests"]);
    if let Some(database) = &database {
        command.env(postgres::VARIABLE, database.url()).env("MATCHBOOK_TEST_REQUIRE_ALL", "1");
    }
    let status = child::status(&mut command)?;
    check_unchanged(package, "an interrupted mutant was left behind; `git checkout` restores them")?;
    if !COMPLETE.contains(&status.code()) {
        bail!("cargo-mutants ended with {status}; see {}", folder.join("mutants.out").display());
    }
    let mut outcome = read(&folder.join("mutants.out"))?;
    outcome.keep(mutants);
    Ok(outcome)
}

/// Returns a command of cargo-mutants for the package's files.
pub(super) fn cargo_mutants(package: MutatedPackage) -> Result<Command> {
    let mut command = tools::CARGO_MUTANTS.command()?;
    repository::clear_package(&mut command);
    command.args(["mutants", "--package", package.name(), "--file"]);
    command.arg(format!("{}/**/*.rs", package.folder()));
    Ok(command)
}

fn check_unchanged(package: MutatedPackage, advice: &str) -> Result<()> {
    let mut git = Command::new("git");
    git.current_dir(repository::root()).args(["status", "--porcelain", "--", &package.folder()]);
    let changed = child::capture(&mut git)?;
    if !changed.is_empty() {
        bail!("files in {} differ from the commit; {advice}\n{changed}", package.folder());
    }
    Ok(())
}

fn read(folder: &Path) -> Result<TrialOutcome> {
    Ok(TrialOutcome {
        caught: read_mutants(folder.join("caught.txt"))?,
        missed: read_mutants(folder.join("missed.txt"))?,
        timed_out: read_mutants(folder.join("timeout.txt"))?,
        unviable: read_mutants(folder.join("unviable.txt"))?,
    })
}

fn read_mutants(file: PathBuf) -> Result<Vec<Mutant>> {
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    text.lines().map(Mutant::parse).collect()
}

/// Returns a regular expression that matches `text`.
fn escape(text: &str) -> String {
    let escaped = |c: char| if r"\.+*?()|[]{}^$#&-~".contains(c) { format!("\\{c}") } else { c.to_string() };
    text.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_in_a_name_match_only_themselves() {
        assert_eq!(escape("a.rs:1:2: replace || with &&"), r"a\.rs:1:2: replace \|\| with \&\&");
        assert_eq!(escape("f(x) -> [u8; 2]"), r"f\(x\) \-> \[u8; 2\]");
    }
}
