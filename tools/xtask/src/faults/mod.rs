//! `cargo xtask faults`: several replicas on one Postgres behind HAProxy, fault injection, and a referee
//! afterwards.
//!
//! This module decides what runs and which faults are injected. Players, watchers and the referee are the
//! program of `tools/faults`.

mod balancer;
mod cluster;
mod database;
mod deployment;
mod injection;
mod proxy;
mod replica;
mod report;
mod run;
mod scenario;
mod table;
mod workload;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::programs::{Profile, Programs};
use crate::{child, output};
use deployment::Deployment;
use report::{Build, FaultReport, ScenarioOutcome};
use scenario::{RunSettings, Scenario, Suite};

const INTERRUPTED: u8 = 130;
/// Duration of each scenario in `cargo xtask test`.
const SHORT_SECONDS: u64 = 5;
const REPLICAS: usize = 3;

/// Inject faults into several replicas and have a referee check every match
///
/// Starts a throwaway Postgres (fsync on), replicas of the service, and HAProxy in front of them with the
/// configuration in deploy/haproxy. Bots play all games through HAProxy and through each replica directly;
/// they retry every call until it is answered, and every match is watched on every route. Meanwhile replicas
/// are killed, suspended and restarted, Postgres crashes, connections are cut, or a clock is wrong.
///
/// Afterwards the referee compares each match's log, as each replica returns it, with what players and
/// watchers received: no acknowledged event may be lost, duplicated or out of order, and every exported log
/// must verify. The exit code is 1 if it finds anything, 130 after an interruption.
///
/// The suite `failover` does the same on three Postgres nodes under Patroni, with synchronous replication and
/// etcd, each node in a network namespace of its own: the primary is killed, suspended, cut off, and replaced
/// on purpose. It needs root and takes about five minutes.
///
/// HAProxy, libfaketime, Patroni and etcd come from Debian's packages `haproxy`, `faketime`, `patroni` and
/// `etcd-server`, which are installed if this is root. docs/testing.md explains the scenarios and the
/// figures.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  cargo xtask faults                            all scenarios, five to six minutes after building
  cargo xtask faults --only rolling,postgres    some scenarios
  cargo xtask faults --seconds 120 --seed 7     longer scenarios with another seed
  cargo xtask faults --replicas 2               two replicas
  cargo xtask faults --json figures.json        machine-readable figures
  cargo xtask faults failover                   Postgres fails over, again and again")]
pub(crate) struct Arguments {
    /// What the replicas run on
    #[arg(value_enum, default_value_t = Suite::Replicas)]
    suite: Suite,

    /// Duration of each scenario, without the referee [default: 30; failover: 240]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=3600))]
    seconds: Option<u64>,

    /// Number of replicas
    #[arg(long, value_name = "N", default_value_t = REPLICAS, value_parser = replicas)]
    replicas: usize,

    /// Number of concurrent matches
    #[arg(long, value_name = "N", default_value_t = 16,
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    matches: u64,

    /// Seed of moves, routes and victims; the scheduling of threads and processes stays random
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Scenarios to run, separated by commas; all by default
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_enum)]
    only: Vec<Scenario>,

    /// Use the debug build, as `cargo xtask test` does; it is slower
    #[arg(long)]
    debug: bool,

    /// File to write the report to as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let profile = if arguments.debug { Profile::Debug } else { Profile::Release };
    let report = Programs::build(profile).and_then(|programs| run_scenarios(arguments, programs));
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
    Ok(if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs all scenarios for some seconds each, on the debug build.
pub(crate) fn run_short(programs: &Programs) -> Result<()> {
    let arguments = Arguments {
        suite: Suite::Replicas,
        seconds: Some(SHORT_SECONDS),
        replicas: REPLICAS,
        matches: 8,
        seed: 1,
        only: Vec::new(),
        debug: true,
        json: None,
    };
    let report = run_scenarios(&arguments, programs.clone())?;
    output::print_line(format_args!("\n{}", table::render(&report)));
    if !report.is_clean() {
        bail!("the referee found something");
    }
    Ok(())
}

fn run_scenarios(arguments: &Arguments, programs: Programs) -> Result<FaultReport> {
    let &Arguments { suite, replicas, matches, seed, .. } = arguments;
    let seconds = arguments.seconds.unwrap_or(suite.default_seconds());
    let mut scenarios = suite.scenarios();
    if let Some(other) = arguments.only.iter().find(|scenario| !scenarios.contains(scenario)) {
        bail!("scenario {} belongs to another suite; `--help` lists them", other.name());
    }
    if !arguments.only.is_empty() {
        scenarios.clone_from(&arguments.only);
    }
    let profile = if arguments.debug { Build::Debug } else { Build::Release };
    let mut deployment = Deployment::start(programs, replicas, suite)?;
    let mut rng = StdRng::seed_from_u64(seed);
    let mut outcomes: Vec<ScenarioOutcome> = Vec::new();
    for (number, scenario) in (1..).zip(&scenarios) {
        let (name, description) = (scenario.name(), scenario.description());
        output::print_progress(format_args!("{number}/{} {name}: {description}", scenarios.len()));
        let settings = RunSettings { seconds, matches, seed };
        let outcome = run::run(*scenario, &mut deployment, &settings, &mut rng);
        outcomes.push(outcome.with_context(|| format!("scenario {name} failed"))?);
    }
    Ok(FaultReport { profile, replicas, seed, outcomes })
}

fn replicas(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (2..=balancer::MAX_REPLICAS).contains(count));
    count.ok_or_else(|| format!("expected a number from 2 to {}", balancer::MAX_REPLICAS))
}
