//! `cargo xtask`: the chores of this repository, one file or folder per subcommand.

mod bench;
mod child;
mod dependencies;
mod deploy;
mod dist;
mod faults;
mod lint;
mod monitoring;
mod mutants;
mod openapi;
mod output;
mod pictures;
mod ports;
mod postgres;
mod programs;
mod protos;
mod python_client;
mod repository;
mod service;
mod steps;
mod test;
mod tools;
mod typescript_client;
mod verifier;
mod web;
mod workflows;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The chores of this repository.
///
/// Commands run from any folder of the repository and end with a table. The exit code is 0 only if every step
/// passed.
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
    Python(python_client::Arguments),
    Typescript(typescript_client::Arguments),
    Verifier(verifier::Arguments),
    Web(web::Arguments),
    Bench(bench::Arguments),
    Faults(faults::Arguments),
    Mutants(mutants::Arguments),
    Dist(dist::Arguments),
    Pictures(pictures::Arguments),
    KeepProtos(protos::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let exit_code = child::forward_signals().and_then(|()| match arguments.chore {
        Chore::Test(arguments) => Ok(test::run(&arguments)),
        Chore::Lint(arguments) => Ok(lint::run(&arguments)),
        Chore::Monitoring(arguments) => Ok(monitoring::run(&arguments)),
        Chore::Python(arguments) => Ok(python_client::run(&arguments)),
        Chore::Typescript(arguments) => Ok(typescript_client::run(&arguments)),
        Chore::Verifier(arguments) => Ok(verifier::run(&arguments)),
        Chore::Web(arguments) => Ok(web::run(&arguments)),
        Chore::Bench(arguments) => bench::run(&arguments),
        Chore::Faults(arguments) => faults::run(&arguments),
        Chore::Mutants(arguments) => mutants::run(&arguments),
        Chore::Dist(arguments) => Ok(dist::run(&arguments)),
        Chore::Pictures(arguments) => Ok(pictures::run(&arguments)),
        Chore::KeepProtos(arguments) => Ok(protos::run(&arguments)),
    });
    exit_code.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
