//! `bench`: takes one measurement and prints it as one line of JSON. What is started, in which order, and
//! what the figures mean beside each other is the business of `cargo xtask bench`.

mod checks;
mod connection;
mod figure;
mod flush;
mod moves;
mod tally;
mod window;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use mimalloc::MiMalloc;

use figure::Figure;
use window::Span;

/// The callers share the machine with the service: what they save is measured better.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// One measurement, printed as one line of JSON
///
/// `cargo xtask bench` starts everything that is needed and takes them all; alone this measures a service
/// that already runs, on another machine perhaps. It fills the service's database with matches.
#[derive(Parser)]
#[command(
    name = "bench",
    after_help = "Example:
  cargo run --release -p bench -- moves --server http://127.0.0.1:7420 --matches 32 --seconds 10"
)]
struct Arguments {
    #[command(subcommand)]
    measurement: Measurement,
}

#[derive(Subcommand)]
enum Measurement {
    /// Moves: bots play both seats of so many matches at once, and SubmitMove is measured
    Moves {
        #[command(flatten)]
        service: Service,
        /// Matches played at once; each waits for its answer before it makes the next move
        #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
        matches: u32,
    },
    /// Health checks: the smallest unary call that the service answers, from memory
    Checks {
        #[command(flatten)]
        service: Service,
        /// Calls at once
        #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
        calls: u32,
    },
    /// The disk: 8 KiB written to a file and flushed, again and again
    Flush {
        /// Where the file is made, and removed again
        #[arg(long, value_name = "PATH")]
        folder: PathBuf,
        #[command(flatten)]
        length: Length,
    },
}

#[derive(Args)]
struct Service {
    /// The service's address
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:7420")]
    server: String,
    #[command(flatten)]
    length: Length,
}

#[derive(Args)]
struct Length {
    /// How long is measured
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// How long the same is done before that
    #[arg(long, value_name = "N", default_value_t = 2)]
    warm_up_seconds: u64,
}

impl Length {
    fn span(&self) -> Span {
        Span {
            warm_up: Duration::from_secs(self.warm_up_seconds),
            measured: Duration::from_secs(self.seconds),
        }
    }
}

// One thread: two would take the service's core away from it on a small machine.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let figure = match Arguments::parse().measurement {
        Measurement::Moves { service, matches } => {
            moves::measure(&service.server, matches, service.length.span()).await?
        }
        Measurement::Checks { service, calls } => {
            checks::measure(&service.server, calls, service.length.span()).await?
        }
        Measurement::Flush { folder, length } => flush::measure(&folder, length.span())?,
    };
    print_line(&figure)
}

fn print_line(figure: &Figure) -> Result<()> {
    println!("{}", serde_json::to_string(figure)?);
    Ok(())
}
