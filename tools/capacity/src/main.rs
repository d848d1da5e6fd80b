//! `capacity`: simulates replicas of the service and their databases under load, from measured costs, and
//! prints the times of moves before, during and after an outage. Nothing real is started.

mod costs;
mod outage;
mod queue;
mod report;
mod simulation;
mod traffic;

use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Parser;

use costs::{Costs, Deployment};
use outage::Outage;
use report::SimulationReport;
use simulation::Simulation;
use traffic::Traffic;

/// Simulate moves through replicas and databases, and report how long they take
///
/// A move waits for a core of a replica, then for the replica's batch to the match's database, then for the
/// commit. Each match has one move at a time; after its answer the next one follows after the time to think.
/// Some matches are busier than others by Zipf's law. A call to a replica that is gone is repeated like the
/// clients do.
///
/// The costs are those that docs/scale.md lists, measured on two cores; pass your own.
#[derive(Parser)]
#[command(
    name = "capacity",
    after_help = "Examples:
  cargo run --release -p capacity -- --matches 100000
  cargo run --release -p capacity -- --matches 100000 --outage rolling
  cargo run --release -p capacity -- --matches 1000000 --replicas 12 --shards 8 --outage zone --json"
)]
struct Arguments {
    #[command(flatten)]
    traffic: Traffic,
    #[command(flatten)]
    deployment: Deployment,
    #[command(flatten)]
    costs: Costs,

    /// What goes wrong after a third of the time
    #[arg(long, value_enum, default_value_t = Outage::None)]
    outage: Outage,

    /// Simulated time, in seconds
    #[arg(long, value_name = "N", default_value_t = 60,
          value_parser = clap::value_parser!(u64).range(3..=3600))]
    seconds: u64,

    /// Seed of everything random; the same seed gives the same report
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Print the report as one line of JSON
    #[arg(long)]
    json: bool,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let Arguments { traffic, deployment, costs, outage, seconds, seed, json } = arguments;
    ensure!(deployment.shards <= 1024, "--shards: at most 1024, the number of buckets");
    let time = Duration::from_secs(seconds);
    let report = run(&traffic, deployment, costs, outage, time, seed);
    if json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!("{}", report.text());
    }
    Ok(())
}

fn run(
    traffic: &Traffic,
    deployment: Deployment,
    costs: Costs,
    outage: Outage,
    time: Duration,
    seed: u64,
) -> SimulationReport {
    let mut simulation = Simulation::new(traffic, deployment, costs, seed);
    simulation.schedule(&outage.changes(deployment, time));
    let moves = simulation.run(time);
    SimulationReport::new(&moves, outage.window(deployment, time), time)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simulate(arguments: &[&str]) -> SimulationReport {
        let arguments = Arguments::parse_from([&["capacity"], arguments].concat());
        let Arguments { traffic, deployment, costs, outage, seconds, seed, .. } = arguments;
        run(&traffic, deployment, costs, outage, Duration::from_secs(seconds), seed)
    }

    #[test]
    fn an_idle_service_takes_the_sum_of_its_costs() {
        let report = simulate(&["--matches", "1", "--think-ms", "1000"]);
        // 2 x 100 us of network, 78 us of a replica, 21 us and 220 us of the database.
        assert!((report.before.p50_ms - 0.519).abs() < 0.001, "{report:?}");
        assert!((10..40).contains(&report.before.moves), "about one a second in 20 s: {report:?}");
    }

    #[test]
    fn the_same_seed_gives_the_same_report() {
        let arguments = ["--matches", "500", "--outage", "zone", "--seconds", "30"];
        assert_eq!(simulate(&arguments), simulate(&arguments));
    }

    #[test]
    fn moves_that_need_more_than_there_is_wait() {
        // 2 cores of 78 us make 25 641 moves a second; 40 000 are wanted.
        let wanted = ["--matches", "40000", "--think-ms", "1000", "--zipf", "0", "--seconds", "6"];
        let busy = simulate(&[&wanted[..], &["--replicas", "1"]].concat());
        let enough = simulate(&[&wanted[..], &["--replicas", "3"]].concat());
        assert!(busy.before.p50_ms > 50.0 * enough.before.p50_ms, "{busy:?} {enough:?}");
        let answered = busy.before.moves + busy.during.moves + busy.after.moves;
        let rate = f64::from(u32::try_from(answered).unwrap()) / 6.0;
        assert!((20_000.0..25_700.0).contains(&rate), "{rate}");
    }

    #[test]
    fn a_rolling_restart_costs_less_than_the_loss_of_a_zone() {
        let calm = simulate(&["--matches", "2000"]);
        let rolling = simulate(&["--matches", "2000", "--outage", "rolling"]);
        let zone = simulate(&["--matches", "2000", "--outage", "zone"]);
        assert!(rolling.during.p99_ms >= calm.during.p99_ms, "{rolling:?} {calm:?}");
        assert!(zone.during.p99_ms > 10.0 * rolling.during.p99_ms, "{zone:?} {rolling:?}");
        assert!(zone.during.max_ms >= 20_000.0, "the database is away for 20 s: {zone:?}");
        assert!(zone.after.p50_ms < 2.0 * calm.before.p50_ms, "{zone:?} {calm:?}");
    }
}
