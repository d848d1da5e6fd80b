//! `cargo xtask`: the chores of this repository, one file a subcommand (`test`, `lint`, `monitoring`, `bench`, `faults`).

mod bench;
mod child;
mod debian;
mod dependencies;
mod deploy;
mod faults;
mod lint;
mod monitoring;
mod openapi;
mod ports;
mod postgres;
mod programs;
mod repository;
mod steps;
mod test;
mod tools;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The chores of this repository.
///
/// All commands run from any folder of the repository and end with a table. The exit code is 0 only if everything
/// went well.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    Test(test::Arguments),
    Lint(lint::Arguments),
    Monitoring(monitoring::Arguments),
    Bench(bench::Arguments),
    Faults(faults::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = child::pass_signals_on().and_then(|()| match arguments.chore {
        Chore::Test(arguments) => test::run(&arguments),
        Chore::Lint(arguments) => lint::run(&arguments),
        Chore::Monitoring(arguments) => monitoring::run(&arguments),
        Chore::Bench(arguments) => bench::run(&arguments),
        Chore::Faults(arguments) => faults::run(&arguments),
    });
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
