//! `cargo xtask mutants`: small faults planted in a sample of places, and whether the tests find them.
//!
//! This module decides what is mutated and what is reported. cargo-mutants changes the sources, builds, and
//! runs the tests.

mod diff;
mod equivalents;
mod package;
mod report;
mod sample;
mod table;
mod trial;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::{child, output};
use equivalents::Equivalents;
use package::MutatedPackage;
use report::MutationReport;

const INTERRUPTED: u8 = 130;

/// Plant small faults in the sources, one at a time, and report those that no test finds
///
/// A mutant is the program with one small fault: `<` in place of `<=`, a function that returns at once, a
/// deleted match arm. For each mutant of a sample, cargo-mutants changes the source, builds, and runs the
/// package's own tests; on those that pass, it runs the tests of packages that use it. A test that fails, or
/// does not end, has caught the mutant. A mutant that passes them all is a survivor: either a test is
/// missing, or the fault makes no difference. The latter are listed in docs/testing.md with a reason.
///
/// The sample depends on --seed and on the names of the mutants, not on their lines: the same seed takes
/// nearly the same mutants after a change.
///
/// Sources are changed IN PLACE and restored after each mutant. The chore refuses to start unless the
/// package's sources are committed; do not edit, build or commit here while it runs. It takes minutes to
/// hours: a build and a test run per mutant. cargo-mutants is built once into target/tools.
///
/// The exit code is 1 if a package catches less than --at-least, 130 after an interruption.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  cargo xtask mutants                             40 mutants of each package
  cargo xtask mutants --only event --sample 10    a first try, in a few minutes
  cargo xtask mutants --only replay --seed 2      other mutants
  cargo xtask mutants --only event --sample 10000 every mutant of a package
  cargo xtask mutants --list                      the sample, without running it
  cargo xtask mutants --json figures.json         machine-readable figures and survivors

What cargo-mutants logged, with the diff of each mutant, is in target/mutants/PACKAGE/mutants.out, and
for the tests of other packages in target/mutants/PACKAGE-guards/mutants.out.")]
pub(crate) struct Arguments {
    /// Packages to mutate, separated by commas; all by default
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_enum)]
    only: Vec<MutatedPackage>,

    /// Largest number of mutants per package
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
    sample: u32,

    /// Seed of the sample
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Time after which a mutant's tests are stopped, in seconds; by default five times what the program's
    /// tests take, and at least 120
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    timeout: Option<u32>,

    /// Least share of viable mutants that each package must catch, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 97,
          value_parser = clap::value_parser!(u32).range(0..=100))]
    at_least: u32,

    /// Print the sample and stop
    #[arg(long)]
    list: bool,

    /// File to write the report to as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let packages = if arguments.only.is_empty() { &MutatedPackage::ALL[..] } else { &arguments.only };
    if arguments.list {
        return list(arguments, packages).map(|()| ExitCode::SUCCESS);
    }
    let report = try_packages(arguments, packages);
    if child::interrupted() {
        eprintln!("interrupted");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let report = report?;
    println!("\n{}", table::render(&report));
    if let Some(file) = &arguments.json {
        let text = serde_json::to_string_pretty(&report)?;
        fs::write(file, text + "\n").with_context(|| format!("cannot write {}", file.display()))?;
    }
    let enough = report.packages.iter().all(|package| package.catches(arguments.at_least));
    Ok(if enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn list(arguments: &Arguments, packages: &[MutatedPackage]) -> Result<()> {
    for &package in packages {
        let all = sample::list(package)?;
        let sampled = sample::take(&all, arguments.seed, arguments.sample);
        println!("{}: {} of {} mutants", package.name(), sampled.len(), all.len());
        for mutant in sampled {
            println!("  {}", mutant.name);
        }
    }
    Ok(())
}

fn try_packages(arguments: &Arguments, packages: &[MutatedPackage]) -> Result<MutationReport> {
    let &Arguments { seed, sample, .. } = arguments;
    let equivalents = Equivalents::read()?;
    let mut figures = Vec::new();
    for (number, &package) in (1..).zip(packages) {
        output::print_progress(format_args!("{number}/{} {}", packages.len(), package.name()));
        let all = sample::list(package)?;
        equivalents.check_current(package, &all)?;
        let sampled = sample::take(&all, seed, sample);
        let outcome = trial::run(package, &sampled, &equivalents, arguments.timeout)?;
        figures.push(report::figures(package, all.len(), outcome, &equivalents));
    }
    Ok(MutationReport { seed, sample, packages: figures })
}
