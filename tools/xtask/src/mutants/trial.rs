//! The runs of cargo-mutants: the sampled mutants of one package, in place, with its own tests and then with
//! those of the packages that use it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::diff;
use super::equivalents::Equivalents;
use super::package::{self, MutatedPackage};
use super::sample::Mutant;
use crate::postgres::{self, TestDatabase};
use crate::{child, output, repository, tools};

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
    /// Those among the caught and timed out that only tests of other packages caught.
    pub(super) guarded: Vec<Mutant>,
}

impl TrialOutcome {
    /// Drops the mutants of other fields in sampled lines, which cargo-mutants cannot leave out.
    fn keep(&mut self, sampled: &[Mutant]) {
        for mutants in [&mut self.caught, &mut self.missed, &mut self.timed_out, &mut self.unviable] {
            mutants.retain(|mutant| sampled.contains(mutant));
        }
    }

    /// Adds what other packages' tests made of the mutants that the package's own tests missed.
    fn add_guarded(&mut self, outcome: Self) {
        self.guarded = [&outcome.caught[..], &outcome.timed_out].concat();
        self.caught.extend(outcome.caught);
        self.missed.extend(outcome.missed);
        self.timed_out.extend(outcome.timed_out);
    }
}

/// Runs the package's tests on every mutant, and then those of the packages that use it on what survived and
/// is not equivalent.
pub(super) fn run(
    package: MutatedPackage,
    mutants: &[Mutant],
    equivalents: &Equivalents,
    timeout_s: Option<u32>,
) -> Result<TrialOutcome> {
    let round = |name: &str, tests: &[&str], mutants: &[Mutant]| {
        let folder = repository::target_folder().join("mutants").join(name);
        run_round(package, &folder, tests, mutants, timeout_s)
    };
    let mut outcome = round(package.name(), &[package.name()], mutants)?;
    let (equivalent, missed): (Vec<_>, Vec<_>) =
        outcome.missed.drain(..).partition(|mutant| equivalents.contain(mutant));
    outcome.missed = equivalent;
    if !missed.is_empty() {
        output::print_progress(format_args!("the tests of {}", package.guards().join(" and ")));
        let guarded = round(&format!("{}-guards", package.name()), package.guards(), &missed)?;
        outcome.add_guarded(guarded);
    }
    Ok(outcome)
}

fn run_round(
    package: MutatedPackage,
    folder: &Path,
    tests: &[&str],
    mutants: &[Mutant],
    timeout_s: Option<u32>,
) -> Result<TrialOutcome> {
    check_unchanged(package, "commit or stash them first: mutants are made in place")?;
    let database = if package::need_postgres(tests) { Some(TestDatabase::open()?) } else { None };
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;

    let mut command = cargo_mutants(package)?;
    command.args(["--in-place", "--no-shuffle", "--caught", "--unviable", "--output"]).arg(folder);
    command.args(["--test-package", &tests.join(",")]);
    match timeout_s {
        Some(seconds) => command.args(["--timeout", &seconds.to_string()]),
        // A busy machine is no hang.
        None => command.args(["--timeout-multiplier", "5", "--minimum-test-timeout", "120"]),
    };
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
        guarded: Vec::new(),
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
    fn what_other_packages_catch_is_caught() {
        let mutant = |name: &str| Mutant::parse(&format!("a.rs:1:2: {name}")).unwrap();
        let [own, other, hung, left] = ["own", "other", "hung", "left"].map(mutant);
        let mut outcome = TrialOutcome { caught: vec![own.clone()], ..TrialOutcome::default() };
        outcome.add_guarded(TrialOutcome {
            caught: vec![other.clone()],
            timed_out: vec![hung.clone()],
            missed: vec![left.clone()],
            ..TrialOutcome::default()
        });
        assert_eq!((outcome.caught, outcome.missed), (vec![own, other.clone()], vec![left]));
        assert_eq!((outcome.timed_out, outcome.guarded), (vec![hung.clone()], vec![other, hung]));
    }

    #[test]
    fn operators_in_a_name_match_only_themselves() {
        assert_eq!(escape("a.rs:1:2: replace || with &&"), r"a\.rs:1:2: replace \|\| with \&\&");
        assert_eq!(escape("f(x) -> [u8; 2]"), r"f\(x\) \-> \[u8; 2\]");
    }
}
