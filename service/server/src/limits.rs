//! How much one replica takes at once. Each limit is a flag with an environment variable, and a row in `docs/api.md`.

use std::time::Duration;

use clap::builder::{RangedU64ValueParser, Resettable};
use clap::{Args, Command, FromArgMatches};

const YEAR_S: u64 = 366 * 24 * 60 * 60;

/// The limits of one replica.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Limits of this replica")]
pub struct Limits {
    /// Largest request that is read, in bytes; beyond it: message_too_large
    #[arg(
        long,
        env = "MATCHBOOK_MAX_MESSAGE_BYTES",
        value_name = "N",
        value_parser = positive::<usize>(),
        default_value_t = 256 << 10
    )]
    pub max_message_bytes: usize,

    /// Largest sum of a call's metadata, in bytes
    #[arg(
        long,
        env = "MATCHBOOK_MAX_METADATA_BYTES",
        value_name = "N",
        value_parser = positive::<u32>(),
        default_value_t = 16 << 10
    )]
    pub max_metadata_bytes: u32,

    /// Calls being answered at once, open watches not counted; beyond it: overloaded
    #[arg(
        long,
        env = "MATCHBOOK_MAX_CALLS",
        value_name = "N",
        value_parser = positive::<usize>(),
        default_value_t = 4096
    )]
    pub max_calls: usize,

    /// Open connections; more wait until one closes
    #[arg(
        long,
        env = "MATCHBOOK_MAX_CONNECTIONS",
        value_name = "N",
        value_parser = positive::<usize>(),
        default_value_t = 16_384
    )]
    pub max_connections: usize,

    /// Calls and watches open at once on one connection; a client waits before it opens more
    #[arg(
        long,
        env = "MATCHBOOK_MAX_CALLS_PER_CONNECTION",
        value_name = "N",
        value_parser = positive::<u32>(),
        default_value_t = 1024
    )]
    pub max_calls_per_connection: u32,

    /// Open watches; beyond it: too_many_streams
    #[arg(
        long,
        env = "MATCHBOOK_MAX_WATCHES",
        value_name = "N",
        value_parser = positive::<usize>(),
        default_value_t = 20_000
    )]
    pub max_watches: usize,

    /// Open watches of one API key, or of one address without a key; beyond it: too_many_streams
    #[arg(
        long,
        env = "MATCHBOOK_MAX_WATCHES_PER_CALLER",
        value_name = "N",
        value_parser = positive::<usize>(),
        default_value_t = 1000
    )]
    pub max_watches_per_caller: usize,

    /// Calls a second of one API key or token, 0 for no limit; beyond it: rate_limited. Callers on this machine have no
    /// limit, unless a trusted proxy brings them
    #[arg(
        long,
        env = "MATCHBOOK_CALLS_PER_SECOND_PER_CALLER",
        value_name = "N",
        value_parser = clap::value_parser!(u32),
        default_value_t = 100
    )]
    pub calls_per_second_per_caller: u32,

    /// Calls that an API key or token may make at once, after it has been quiet
    #[arg(
        long,
        env = "MATCHBOOK_CALL_BURST_PER_CALLER",
        value_name = "N",
        value_parser = positive::<u32>(),
        default_value_t = 400
    )]
    pub call_burst_per_caller: u32,

    /// Calls a second from one address (IPv6: from one /64), 0 for no limit; those with an API key count for the key alone
    #[arg(
        long,
        env = "MATCHBOOK_CALLS_PER_SECOND_PER_ADDRESS",
        value_name = "N",
        value_parser = clap::value_parser!(u32),
        default_value_t = 500
    )]
    pub calls_per_second_per_address: u32,

    /// Calls that an address may make at once, after it has been quiet
    #[arg(
        long,
        env = "MATCHBOOK_CALL_BURST_PER_ADDRESS",
        value_name = "N",
        value_parser = positive::<u32>(),
        default_value_t = 2000
    )]
    pub call_burst_per_address: u32,

    /// Matches kept in memory; more are read from the database again when they are asked for
    #[arg(
        long,
        env = "MATCHBOOK_MAX_LIVE_MATCHES",
        value_name = "N",
        value_parser = positive::<usize>(),
        default_value_t = 10_000
    )]
    pub max_live_matches: usize,

    /// After this a call is answered, whatever its work does: a change as outcome_unknown, a look as overloaded
    #[arg(
        long,
        env = "MATCHBOOK_CALL_TIMEOUT_MS",
        value_name = "MS",
        value_parser = positive::<u64>(),
        default_value_t = 15_000
    )]
    pub call_timeout_ms: u64,

    /// A watch on which nothing happens gets a heartbeat this often
    #[arg(
        long,
        env = "MATCHBOOK_HEARTBEAT_MS",
        value_name = "MS",
        value_parser = positive::<u64>(),
        default_value_t = 15_000
    )]
    pub heartbeat_ms: u64,

    /// How long after its due time a move of a match with clocks is still taken, for the way it has come; the same on all
    /// replicas
    #[arg(
        long,
        env = "MATCHBOOK_CLOCK_GRACE_MS",
        value_name = "MS",
        value_parser = clap::value_parser!(u64).range(..=60_000),
        default_value_t = 250
    )]
    pub clock_grace_ms: u64,

    /// After this a match whose seats are not both claimed ends as expired
    #[arg(
        long,
        env = "MATCHBOOK_UNCLAIMED_EXPIRY_S",
        value_name = "S",
        value_parser = clap::value_parser!(u64).range(1..=YEAR_S),
        default_value_t = 24 * 60 * 60
    )]
    pub unclaimed_expiry_s: u64,

    /// When the service is asked to stop: for so long health says NOT_SERVING while everything is served as before, so that
    /// load balancers look elsewhere first
    #[arg(
        long,
        env = "MATCHBOOK_DRAIN_MS",
        value_name = "MS",
        value_parser = clap::value_parser!(u64),
        default_value_t = 0
    )]
    pub drain_ms: u64,

    /// How long calls may take to end when the service is asked to stop; then they are cut
    #[arg(
        long,
        env = "MATCHBOOK_SHUTDOWN_GRACE_MS",
        value_name = "MS",
        value_parser = positive::<u64>(),
        default_value_t = 10_000
    )]
    pub shutdown_grace_ms: u64,
}

impl Limits {
    /// Longest time between a call and its answer.
    pub(crate) fn call_timeout(&self) -> Duration {
        Duration::from_millis(self.call_timeout_ms)
    }

    /// Longest silence of a watch.
    pub(crate) fn heartbeat(&self) -> Duration {
        Duration::from_millis(self.heartbeat_ms)
    }

    /// How long a move may be late.
    pub(crate) fn clock_grace(&self) -> Duration {
        Duration::from_millis(self.clock_grace_ms)
    }

    /// How long a match waits for its players.
    pub(crate) fn unclaimed_expiry(&self) -> Duration {
        Duration::from_secs(self.unclaimed_expiry_s)
    }

    /// From the wish to stop to the end of listening.
    pub(crate) fn drain(&self) -> Duration {
        Duration::from_millis(self.drain_ms)
    }

    /// From the end of listening to the end of the last call.
    pub(crate) fn shutdown_grace(&self) -> Duration {
        Duration::from_millis(self.shutdown_grace_ms)
    }
}

impl Default for Limits {
    fn default() -> Self {
        // The defaults are written once, as those of the flags. The environment is not read here.
        let command =
            Limits::augment_args(Command::new("limits")).mut_args(|flag| flag.env(Resettable::Reset));
        let matches = command.get_matches_from(["limits"]);
        Limits::from_arg_matches(&matches).expect("every flag has a default that parses")
    }
}

/// Most limits can't be zero: nothing would be served.
fn positive<T>() -> RangedU64ValueParser<T>
where
    T: TryFrom<u64> + Clone + Send + Sync + 'static,
    T::Error: Send + Sync + std::error::Error + 'static,
{
    RangedU64ValueParser::new().range(1..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_those_of_the_flags() {
        let limits = Limits::default();
        assert_eq!(limits.max_message_bytes, 262_144);
        assert_eq!(limits.shutdown_grace(), Duration::from_secs(10));
    }
}
