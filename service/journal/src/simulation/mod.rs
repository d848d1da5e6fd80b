//! A simulation of several replicas on a database that fails over and loses commits, with a referee.
//!
//! Real journals with their writers and tailers run on a database in memory. What is simulated is the way to
//! it: connections that break before or after a statement, directly or behind a pooler that switches servers
//! unnoticed; statements that execute long after their writer gave them up; failovers to earlier states;
//! writers closed by others; and replicas that are replaced but go on running. The database has one to three
//! shards. Callers append after events
//! that they read a while ago. A seed decides all of this; the order of the runtime's tasks within a step is
//! its own, so a seed repeats the faults, not every interleaving.
//!
//! Not simulated: reads of a lagging standby, pruning, SQL, and clocks of replicas that differ.

mod callers;
mod cluster;
mod connection;
mod random;
mod referee;
mod replica;
mod tail;

use std::time::{Duration, Instant};

use self::callers::Callers;
use self::cluster::Cluster;
use self::random::Random;

/// Seeds that every run of the tests tries.
const SEEDS: u64 = 60;

/// Steps of one history.
const STEPS: u32 = 250;

/// `MATCHBOOK_FUZZ_SEED` names the first seed, and `MATCHBOOK_FUZZ_SECONDS` how long to go on from there.
#[test]
fn no_schedule_writes_onto_another_history() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let (first, seconds) = (number("MATCHBOOK_FUZZ_SEED").unwrap_or(1), number("MATCHBOOK_FUZZ_SECONDS"));
    let started = Instant::now();
    let within = |seed| match seconds {
        Some(seconds) => started.elapsed() < Duration::from_secs(seconds),
        None => seed < first + SEEDS,
    };
    let mut total = referee::Summary::default();
    for seed in (first..).take_while(|seed| within(*seed)) {
        total += simulate(seed);
    }
    println!("{total:?}");
    total.assert_everything_happened();
}

/// Plays one history. Panics with its seed if the referee finds a fault.
fn simulate(seed: u64) -> referee::Summary {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.unwrap().block_on(async {
        let mut random = Random::new(seed);
        let cluster = Cluster::new(seed, random.fork());
        let mut callers = Callers::start(&cluster, random.fork(), 3).await;
        for _ in 0..STEPS {
            callers.step().await;
        }
        cluster.end_faults();
        callers.finish().await;
        referee::judge(&cluster, &callers.answers())
    })
}
