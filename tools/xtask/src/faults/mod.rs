//! `cargo xtask faults`: several replicas on one Postgres behind HAProxy, with everything that can go wrong, and a
//! referee afterwards.
//!
//! This decides what is started and what happens to it. Players, watchers and the referee are the program of
//! `tools/faults`.

mod balancer;
mod bring;
mod line;
mod load;
mod replica;
mod report;
mod scenario;
mod stage;
mod table;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::child;
use crate::programs::{Profile, Programs};
use report::{Outcome, Report};
use scenario::Scenario;
use stage::Stage;

const INTERRUPTED: u8 = 130;
/// How long each scenario lasts in the form that is part of the tests.
const SHORT_SECONDS: u64 = 5;
const REPLICAS: usize = 3;

/// Bring every fault upon several replicas, and let a referee check every match afterwards
///
/// Starts a throwaway Postgres (fsync on), so many replicas of the service, and HAProxy in front of them with the
/// configuration of deploy/haproxy. Bots play all games through HAProxy and straight through each replica; every call
/// is repeated until it is answered, and every match is watched on every way. Meanwhile replicas are killed, stopped
/// and restarted, Postgres is killed, connections are cut, or a clock is wrong.
///
/// Afterwards the referee compares each match's log, as each replica tells it, with what players and watchers were
/// told: nothing acknowledged may be lost or doubled, nothing out of order, every exported log must verify. The exit
/// code is 1 if it finds anything, 130 after an interruption.
///
/// HAProxy and libfaketime come from Debian's packages `haproxy` and `faketime`, which are installed if this is root.
/// docs/testing.md explains the scenarios and the figures.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  cargo xtask faults                            all scenarios, five to six minutes after building
  cargo xtask faults --only rolling,postgres    some of them
  cargo xtask faults --seconds 120 --seed 7     longer, and with other dice
  cargo xtask faults --replicas 2               on two replicas
  cargo xtask faults --json figures.json        the same for a program")]
pub(crate) struct Arguments {
    /// How long each scenario goes on; the referee comes after that
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u64).range(2..=3600))]
    seconds: u64,

    /// Replicas of the service
    #[arg(long, value_name = "N", default_value_t = REPLICAS, value_parser = replicas)]
    replicas: usize,

    /// Matches played at once
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=1000))]
    matches: u64,

    /// What moves, ways and victims derive from; chance remains in how threads and processes take turns
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// These scenarios alone, separated by commas
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_enum)]
    only: Vec<Scenario>,

    /// Use the debug build, as the tests do; the figures are worse then
    #[arg(long)]
    debug: bool,

    /// Also write the report to this file, as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let report = bring(arguments);
    if child::interrupted() {
        eprintln!("interrupted");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let report = report?;
    println!("\n{}", table::of(&report));
    if let Some(file) = &arguments.json {
        let text = serde_json::to_string_pretty(&report)?;
        fs::write(file, text + "\n").with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// All scenarios, each for some seconds, with the programs that the tests have built.
pub(crate) fn short() -> Result<()> {
    let report = bring(&Arguments {
        seconds: SHORT_SECONDS,
        replicas: REPLICAS,
        matches: 8,
        seed: 1,
        only: Vec::new(),
        debug: true,
        json: None,
    })?;
    println!("\n{}", table::of(&report));
    if !report.is_clean() {
        bail!("the referee found something");
    }
    Ok(())
}

fn bring(arguments: &Arguments) -> Result<Report> {
    let scenarios = if arguments.only.is_empty() { Scenario::ALL.to_vec() } else { arguments.only.clone() };
    let profile = if arguments.debug { Profile::Debug } else { Profile::Release };
    let programs = Programs::build(profile, &["server", "faults"])?;
    let mut stage = Stage::set(programs, arguments.replicas)?;
    let mut rng = StdRng::seed_from_u64(arguments.seed);
    let mut outcomes: Vec<Outcome> = Vec::new();
    for (number, scenario) in (1..).zip(&scenarios) {
        eprintln!("{number}/{} {}: {}", scenarios.len(), scenario.name(), scenario.text());
        let asked =
            scenario::Asked { seconds: arguments.seconds, matches: arguments.matches, seed: arguments.seed };
        let outcome = scenario.play(&mut stage, &asked, &mut rng);
        outcomes.push(outcome.with_context(|| format!("scenario {}", scenario.name()))?);
    }
    Ok(Report { profile: profile.into(), replicas: arguments.replicas, seed: arguments.seed, outcomes })
}

fn replicas(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (2..=balancer::MAX_REPLICAS).contains(count));
    count.ok_or_else(|| format!("a number from 2 to {}", balancer::MAX_REPLICAS))
}
