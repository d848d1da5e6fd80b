//! `cargo xtask bench`: the service and what it builds on, measured in one run and compared in one table.
//!
//! This module decides what is measured and in which order. The program of `tools/bench` makes the calls.

mod build;
mod clients;
mod figure;
mod machine;
mod meter;
mod page;
mod pgbench;
mod report;
mod table;
mod testbed;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::child;
use crate::programs::{Profile, Programs};
use crate::service::RunningService;
use machine::Machine;
use meter::Meter;
use pgbench::{EventSizes, Pgbench};
use report::{Report, Subject};
use testbed::Testbed;

const INTERRUPTED: u8 = 130;

/// Measure the service against a bare INSERT and a bare call, and print one table with ratios
///
/// One run on this machine measures: flushes of the disk; pgbench with one INSERT per transaction of the row
/// that a move stores; the service in a process of its own, with bots that play Angels and Demons over gRPC,
/// on that Postgres and on a SQLite file; and health checks of the same service, the upper bound for unary
/// gRPC calls.
///
/// Postgres is a throwaway server with fsync on, as in `cargo xtask test`; the SQLite file is on the same
/// disk. Run nothing else meanwhile: the table says whether the machine was busy before.
///
/// docs/performance.md explains the figures.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:
  cargo xtask bench                            all figures, about three minutes after building
  cargo xtask bench --seconds 2                a quick run with less stable figures
  cargo xtask bench --matches 64,512           other numbers of matches
  cargo xtask bench --json figures.json        machine-readable figures
  cargo xtask bench build                      how long newcomers wait for the programs
  cargo xtask bench clients                    a bot loop in each client
  cargo xtask bench page                       the page in Chromium",
    args_conflicts_with_subcommands = true
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    other: Option<Other>,

    /// Duration of each measurement, after a warm-up of a fifth of it
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,

    /// Numbers of concurrent matches, separated by commas; also the numbers of concurrent health checks.
    /// Include 1 for the comparison of a single client
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [1, 32, 256],
          value_parser = clap::value_parser!(u32).range(1..))]
    matches: Vec<u32>,

    /// Numbers of pgbench clients, separated by commas
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [1, 8, 32, 64],
          value_parser = clap::value_parser!(u32).range(1..=150))]
    clients: Vec<u32>,

    /// File to write the report to as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// What is measured in place of the service.
#[derive(clap::Subcommand)]
enum Other {
    Build(build::Arguments),
    Clients(clients::Arguments),
    Page(page::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.other {
        Some(Other::Build(arguments)) => return build::run(arguments).map(|()| ExitCode::SUCCESS),
        Some(Other::Clients(arguments)) => return clients::run(arguments).map(|()| ExitCode::SUCCESS),
        Some(Other::Page(arguments)) => return page::run(arguments).map(|()| ExitCode::SUCCESS),
        None => {}
    }
    let measured = measure(arguments);
    if child::interrupted() {
        eprintln!("interrupted");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let report = measured?;
    println!("{}", table::render(&report));
    if let Some(file) = &arguments.json {
        let text = serde_json::to_string_pretty(&report)?;
        fs::write(file, text + "\n").with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(arguments: &Arguments) -> Result<Report> {
    let programs = Programs::build(Profile::Dist)?;
    let testbed = Testbed::start()?;
    let machine = Machine::describe(testbed.binaries());
    let mut meter = Meter::new(&programs, arguments.seconds, count_figures(arguments));
    meter.flush(testbed.folder())?;

    let database = testbed.new_database("service")?;
    let service = RunningService::start(&programs, testbed.folder(), &database)?;
    meter.first_match(&service.url())?;
    let sizes = EventSizes::of_first_move(&testbed, &database)?;
    for &calls in &arguments.matches {
        meter.checks(&service.url(), calls)?;
    }
    measure_single_inserts(&mut meter, &programs, &testbed, arguments, sizes)?;
    for &matches in &arguments.matches {
        testbed.checkpoint()?;
        meter.moves(Subject::MovesOnPostgres, &service.url(), matches)?;
        testbed.checkpoint()?;
        meter.moves(Subject::StreamedMovesOnPostgres, &service.url(), matches)?;
    }
    service.stop()?;

    let service = RunningService::start(&programs, testbed.folder(), &testbed.new_file("bench.db"))?;
    for &matches in &arguments.matches {
        meter.moves(Subject::MovesOnSqlite, &service.url(), matches)?;
    }
    service.stop()?;
    Ok(Report { machine, rows: meter.finish() })
}

fn count_figures(arguments: &Arguments) -> usize {
    const FLUSH_AND_FIRST_MATCH: usize = 2;
    FLUSH_AND_FIRST_MATCH + arguments.clients.len() + 4 * arguments.matches.len()
}

/// Runs pgbench while the service idles; its idle writers write one row every 20 s.
fn measure_single_inserts(
    meter: &mut Meter,
    programs: &Programs,
    testbed: &Testbed,
    arguments: &Arguments,
    sizes: EventSizes,
) -> Result<()> {
    let url = testbed.new_database("single_insert")?;
    programs.migrate(&url)?;
    let mut pgbench = Pgbench::new(testbed, url, sizes);
    for &clients in &arguments.clients {
        testbed.checkpoint()?;
        meter.single_inserts(&mut pgbench, clients)?;
    }
    Ok(())
}
