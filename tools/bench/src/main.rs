//! `bench`: takes one measurement and prints it as one line of JSON. `cargo xtask bench` starts what is
//! measured and compares the figures.

mod callers;
mod checks;
mod figure;
mod flush;
mod moves;
mod samples;
mod window;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use mimalloc::MiMalloc;

use figure::Figure;
use moves::Over;
use window::Phases;

/// The callers share the machine with the service, so a faster allocator here distorts figures less.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Take one measurement and print it as one line of JSON
///
/// `cargo xtask bench` starts everything and takes all measurements. Alone, this measures a service that
/// already runs, also on another machine. It fills the service's database with matches.
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
    /// Measure SubmitMove: bots play both seats of concurrent matches
    Moves {
        #[command(flatten)]
        service: Service,
        /// Number of concurrent matches; each makes its next move after the response to the last
        #[arg(long, value_name = "N", default_value_t = 32,
              value_parser = clap::value_parser!(u32).range(1..))]
        matches: u32,
        /// How the moves are sent: each as a call that returns events and view, or over a stream for each
        /// connection that returns receipts
        #[arg(long, value_enum, default_value_t)]
        over: Over,
    },
    /// Measure health checks, the cheapest unary call: the service answers from memory
    Checks {
        #[command(flatten)]
        service: Service,
        /// Number of concurrent calls
        #[arg(long, value_name = "N", default_value_t = 32,
              value_parser = clap::value_parser!(u32).range(1..))]
        calls: u32,
    },
    /// Measure the disk: write 8 KiB to a file and flush, repeatedly
    Flush {
        /// Folder for the temporary file
        #[arg(long, value_name = "PATH")]
        folder: PathBuf,
        #[command(flatten)]
        length: Length,
    },
}

#[derive(Args)]
struct Service {
    /// Address of the service
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:7420")]
    server: String,
    #[command(flatten)]
    length: Length,
}

#[derive(Args)]
struct Length {
    /// Duration of the measurement
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Duration of the warm-up before it
    #[arg(long, value_name = "N", default_value_t = 2)]
    warm_up_seconds: u64,
}

impl Length {
    fn phases(&self) -> Phases {
        Phases {
            warm_up: Duration::from_secs(self.warm_up_seconds),
            measured: Duration::from_secs(self.seconds),
        }
    }
}

// One thread: on a small machine, a second one would take processor time from the service.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let figure = match Arguments::parse().measurement {
        Measurement::Moves { service, matches, over } => {
            moves::measure(&service.server, matches, over, service.length.phases()).await?
        }
        Measurement::Checks { service, calls } => {
            checks::measure(&service.server, calls, service.length.phases()).await?
        }
        Measurement::Flush { folder, length } => flush::measure(&folder, length.phases())?,
    };
    print_line(&figure)
}

fn print_line(figure: &Figure) -> Result<()> {
    println!("{}", serde_json::to_string(figure)?);
    Ok(())
}
