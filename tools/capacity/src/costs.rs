//! What a move costs, and what there is to pay with.

use clap::Args;

use crate::queue::Nanos;

/// The machines.
#[derive(Args, Clone, Copy)]
pub(crate) struct Deployment {
    /// Number of replicas of the service, spread over three zones
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) replicas: u32,

    /// Cores of each replica
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) cores: u32,

    /// Number of databases among which matches are divided, 1 to 1024
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) shards: u32,

    /// Cores of each database
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) database_cores: u32,
}

/// What a move costs, in microseconds unless it says otherwise.
#[derive(Args, Clone, Copy)]
pub(crate) struct Costs {
    /// Time of a replica's core for a move
    #[arg(long, value_name = "US", default_value_t = 78)]
    move_us: u32,

    /// Time of a database's core for a move
    #[arg(long, value_name = "US", default_value_t = 21)]
    row_us: u32,

    /// Time from a batch's last row until it is durable, the way to the database included
    #[arg(long, value_name = "US", default_value_t = 220)]
    commit_us: u32,

    /// Time of a replica's core to load a match that it has not in memory
    #[arg(long, value_name = "US", default_value_t = 1300)]
    cold_us: u32,

    /// Time from a client to a replica, one way
    #[arg(long, value_name = "US", default_value_t = 100)]
    network_us: u32,

    /// Maximum moves in a batch
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) batch: u32,

    /// Pause before a client's second attempt, in milliseconds; it doubles, up to 2 s
    #[arg(long, value_name = "MS", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..))]
    retry_ms: u32,
}

impl Costs {
    pub(crate) fn compute(self, is_cold: bool) -> Nanos {
        Nanos::of_us(self.move_us + if is_cold { self.cold_us } else { 0 })
    }

    pub(crate) fn rows(self, count: usize) -> Nanos {
        Nanos(u64::try_from(count).unwrap_or(u64::MAX).saturating_mul(u64::from(self.row_us) * 1000))
    }

    pub(crate) fn commit(self) -> Nanos {
        Nanos::of_us(self.commit_us)
    }

    pub(crate) fn network(self) -> Nanos {
        Nanos::of_us(self.network_us)
    }

    /// Returns the pause before another attempt, after so many failed ones.
    pub(crate) fn retry(self, failed: u32) -> Nanos {
        let longest = 2_000_000_000;
        let pause = (u64::from(self.retry_ms) * 1_000_000).saturating_mul(1 << failed.min(20));
        Nanos(pause.min(longest))
    }
}
