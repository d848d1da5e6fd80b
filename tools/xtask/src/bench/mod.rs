//! `cargo xtask bench`: the service beside what it stands on, in one run on one machine, as one table with ratios.
//!
//! This decides what is measured and in which order. Calls are made by the program of `tools/bench`.

mod figure;
mod machine;
mod meter;
mod pgbench;
mod report;
mod service;
mod stage;
mod table;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::child;
use crate::programs::{Profile, Programs};
use machine::Machine;
use meter::Meter;
use pgbench::{EventSizes, Pgbench};
use report::{Report, Subject};
use service::Service;
use stage::Stage;

const INTERRUPTED: u8 = 130;

/// Measure the service against a bare INSERT and a bare call, and print one table with ratios
///
/// In one run, on this machine: how long the disk takes to flush; pgbench with one INSERT a transaction of
/// the row that a move stores; the service in a process of its own, with bots that play Angels and Demons
/// over gRPC, on that Postgres and on a SQLite file; and health checks on the same service, as the ceiling
/// of what unary gRPC can do here.
///
/// Postgres is a throwaway server with fsync on, as for `cargo xtask test`; the SQLite file lies beside it.
/// Nothing else should run meanwhile: the table says so if the machine was busy before.
///
/// docs/performance.md explains the figures.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  cargo xtask bench                            everything, about three minutes after building
  cargo xtask bench --seconds 2                a quick look; the figures jump about more
  cargo xtask bench --matches 64,512           other numbers of matches
  cargo xtask bench --json figures.json        the same for a program")]
pub(crate) struct Arguments {
    /// How long each figure is measured, after a fifth of that as warm-up
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,

    /// Matches played at once, separated by commas; as many health checks are made at once. The figures for one
    /// client alone need 1 among them
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [1, 32, 256],
          value_parser = clap::value_parser!(u32).range(1..))]
    matches: Vec<u32>,

    /// Clients of pgbench, separated by commas
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_values_t = [1, 8, 32, 64],
          value_parser = clap::value_parser!(u32).range(1..=150))]
    clients: Vec<u32>,

    /// Also write the report to this file, as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let measured = measure(arguments);
    if child::interrupted() {
        eprintln!("interrupted");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let report = measured?;
    println!("{}", table::of(&report));
    if let Some(file) = &arguments.json {
        let text = serde_json::to_string_pretty(&report)?;
        fs::write(file, text + "\n").with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(arguments: &Arguments) -> Result<Report> {
    let programs = Programs::build(Profile::Release, &["server", "bench"])?;
    let stage = Stage::set()?;
    let machine = Machine::look(stage.binaries());
    let mut meter = Meter::new(&programs, arguments.seconds, figures(arguments));
    meter.flush(stage.folder())?;

    let url = stage.new_database("service")?;
    let service = Service::start(&programs, &stage, &url)?;
    let sizes = sizes(&mut meter, &stage, &service, &url)?;
    for &calls in &arguments.matches {
        meter.checks(service.address(), calls)?;
    }
    single_inserts(&mut meter, &programs, &stage, arguments, sizes)?;
    for &matches in &arguments.matches {
        stage.checkpoint()?;
        meter.moves(Subject::MovesOnPostgres, service.address(), matches)?;
    }
    service.stop()?;

    let service = Service::start(&programs, &stage, &stage.new_file("bench.db"))?;
    for &matches in &arguments.matches {
        meter.moves(Subject::MovesOnSqlite, service.address(), matches)?;
    }
    service.stop()?;
    Ok(Report { machine, rows: meter.finish() })
}

/// How many figures there will be.
fn figures(arguments: &Arguments) -> usize {
    const FLUSH_AND_SIZES: usize = 2;
    FLUSH_AND_SIZES + arguments.clients.len() + 3 * arguments.matches.len()
}

/// What a move really stores, from a match that bots have just played.
fn sizes(meter: &mut Meter, stage: &Stage, service: &Service, url: &str) -> Result<EventSizes> {
    meter.first_match(service.address())?;
    EventSizes::of_first_move(stage, url)
}

/// The service idles beside it; its idle lanes write a row every 20 s.
fn single_inserts(
    meter: &mut Meter,
    programs: &Programs,
    stage: &Stage,
    arguments: &Arguments,
    sizes: EventSizes,
) -> Result<()> {
    let url = stage.new_database("single_insert")?;
    programs.migrate(&url)?;
    let mut pgbench = Pgbench::new(stage, url, sizes);
    for &clients in &arguments.clients {
        stage.checkpoint()?;
        meter.single_inserts(&mut pgbench, clients)?;
    }
    Ok(())
}
