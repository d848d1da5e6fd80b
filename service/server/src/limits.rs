//! The limits of a service. Each is one field here, which clap turns into a flag and an environment variable
//! of `matchbookd`, and a row in `docs/api.md`.

use std::time::Duration;

use clap::builder::{RangedU64ValueParser, Resettable};
use clap::{Args, Command, FromArgMatches};

use crate::durations::duration_between;

/// The limits of one replica, with their flags, defaults and help texts.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Limits per replica")]
pub struct ServiceLimits {
    /// Maximum request size in bytes; larger requests are refused as `MESSAGE_TOO_LARGE`
    #[arg(
        long,
        env = "MATCHBOOK_MAX_MESSAGE_BYTES",
        value_name = "N",
        value_parser = positive::<usize>(),
        default_value_t = 256 << 10
    )]
    pub max_message_bytes: usize,

    /// Maximum total size of a call's metadata, in bytes; larger calls are refused
    #[arg(
        long,
        env = "MATCHBOOK_MAX_METADATA_BYTES",
        value_name = "N",
        value_parser = positive::<u32>(),
        default_value_t = 16 << 10
    )]
    pub max_metadata_bytes: u32,

    /// Maximum concurrent calls, excluding watches; more are refused as `OVERLOADED`. A caller's share is a
    /// third of what is free, at most a quarter; more are refused as `RATE_LIMITED`
    #[arg(
        long,
        env = "MATCHBOOK_MAX_CALLS",
        value_name = "N",
        value_parser = positive::<usize>(),
        default_value_t = 4096
    )]
    pub max_calls: usize,

    /// Maximum open connections; further ones wait. The share of an address is a third of what is free, at
    /// most a quarter; further ones are closed at once. Trusted proxies are exempt from the share
    #[arg(
        long,
        env = "MATCHBOOK_MAX_CONNECTIONS",
        value_name = "N",
        value_parser = positive::<usize>(),
        default_value_t = 16_384
    )]
    pub max_connections: usize,

    /// Maximum memory for unanswered requests and unread responses, in bytes; more are refused as
    /// `OVERLOADED`. The share of an address is at most a quarter, that of a connection an eighth; more are
    /// refused as `RATE_LIMITED`
    #[arg(
        long,
        env = "MATCHBOOK_MAX_BUFFERED_BYTES",
        value_name = "N",
        value_parser = positive::<usize>(),
        default_value_t = 256 << 20
    )]
    pub max_buffered_bytes: usize,

    /// Maximum concurrent streams (calls and watches) per connection, and moves under way on one stream of
    /// moves; clients wait before they send more
    #[arg(
        long,
        env = "MATCHBOOK_MAX_CALLS_PER_CONNECTION",
        value_name = "N",
        value_parser = positive::<u32>(),
        default_value_t = 1024
    )]
    pub max_calls_per_connection: u32,

    /// Maximum open streams: watches, exports, feeds and streams of moves; more are refused as
    /// `TOO_MANY_STREAMS`
    #[arg(
        long,
        env = "MATCHBOOK_MAX_WATCHES",
        value_name = "N",
        value_parser = positive::<usize>(),
        default_value_t = 20_000
    )]
    pub max_watches: usize,

    /// Maximum open streams per API key, or per address without one, and at most a quarter of all; more are
    /// refused as `TOO_MANY_STREAMS`
    #[arg(
        long,
        env = "MATCHBOOK_MAX_WATCHES_PER_CALLER",
        value_name = "N",
        value_parser = positive::<usize>(),
        default_value_t = 1000
    )]
    pub max_watches_per_caller: usize,

    /// Maximum calls per second per API key or token, 0 for no limit; more are refused as `RATE_LIMITED`.
    /// Callers on this machine are exempt unless a trusted proxy forwards them
    #[arg(
        long,
        env = "MATCHBOOK_CALLS_PER_SECOND_PER_CALLER",
        value_name = "N",
        value_parser = clap::value_parser!(u32),
        default_value_t = 100
    )]
    pub calls_per_second_per_caller: u32,

    /// Burst size per API key or token, in calls
    #[arg(
        long,
        env = "MATCHBOOK_CALL_BURST_PER_CALLER",
        value_name = "N",
        value_parser = positive::<u32>(),
        default_value_t = 400
    )]
    pub call_burst_per_caller: u32,

    /// Maximum calls per second per address (IPv6: per /64, and eight times as many per /48), 0 for no
    /// limit. Calls with an API key count only against the key
    #[arg(
        long,
        env = "MATCHBOOK_CALLS_PER_SECOND_PER_ADDRESS",
        value_name = "N",
        value_parser = clap::value_parser!(u32),
        default_value_t = 500
    )]
    pub calls_per_second_per_address: u32,

    /// Burst size per address, in calls
    #[arg(
        long,
        env = "MATCHBOOK_CALL_BURST_PER_ADDRESS",
        value_name = "N",
        value_parser = positive::<u32>(),
        default_value_t = 2000
    )]
    pub call_burst_per_address: u32,

    /// Maximum bytes of matches cached in memory, as estimated from their logs; others are reloaded on
    /// demand. Watched matches stay, up to twice as many bytes, of which one caller can take a quarter; more
    /// watches are refused as `TOO_MANY_STREAMS`
    #[arg(
        long,
        env = "MATCHBOOK_MAX_LIVE_BYTES",
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1 << 20..),
        default_value_t = 256 << 20
    )]
    pub max_live_bytes: u64,

    /// Maximum bytes that the forks of one API key, or of one address without one, store per hour, 0 for no
    /// limit; more are refused as `RATE_LIMITED`. A fork holds all moves up to its position
    #[arg(
        long,
        env = "MATCHBOOK_FORK_BYTES_PER_HOUR",
        value_name = "N",
        value_parser = clap::value_parser!(u64),
        default_value_t = 64 << 20
    )]
    pub fork_bytes_per_hour: u64,

    /// Call timeout; writes then fail with `OUTCOME_UNKNOWN`, reads with `OVERLOADED`
    #[arg(
        long,
        env = "MATCHBOOK_CALL_TIMEOUT",
        value_name = "DURATION",
        value_parser = duration_between("1ms", "365d"),
        default_value = "15s"
    )]
    pub call_timeout: Duration,

    /// Maximum time for a request's body to arrive after its headers; then the call fails with
    /// `INVALID_ARGUMENT`
    #[arg(
        long,
        env = "MATCHBOOK_BODY_TIMEOUT",
        value_name = "DURATION",
        value_parser = duration_between("1ms", "365d"),
        default_value = "5s"
    )]
    pub body_timeout: Duration,

    /// Time after which a connection without calls is closed; 5 seconds while all connections are taken
    #[arg(
        long,
        env = "MATCHBOOK_IDLE_TIMEOUT",
        value_name = "DURATION",
        value_parser = duration_between("1ms", "365d"),
        default_value = "5m"
    )]
    pub idle_timeout: Duration,

    /// Heartbeat interval for idle watches
    #[arg(
        long,
        env = "MATCHBOOK_HEARTBEAT",
        value_name = "DURATION",
        value_parser = duration_between("1ms", "365d"),
        default_value = "15s"
    )]
    pub heartbeat: Duration,

    /// Grace period for late moves, to allow for network delay; must be equal on all replicas
    #[arg(
        long,
        env = "MATCHBOOK_CLOCK_GRACE",
        value_name = "DURATION",
        value_parser = duration_between("0s", "1m"),
        default_value = "250ms"
    )]
    pub clock_grace: Duration,

    /// Time until a match with unclaimed seats expires
    #[arg(
        long,
        env = "MATCHBOOK_UNCLAIMED_EXPIRY",
        value_name = "DURATION",
        value_parser = duration_between("1s", "365d"),
        default_value = "1d"
    )]
    pub unclaimed_expiry: Duration,

    /// How long health reports NOT_SERVING before the listener closes, for load balancers to notice
    #[arg(
        long,
        env = "MATCHBOOK_DRAIN",
        value_name = "DURATION",
        value_parser = duration_between("0s", "365d"),
        default_value = "0s"
    )]
    pub drain: Duration,

    /// Shutdown timeout for running calls; then they are cut off
    #[arg(
        long,
        env = "MATCHBOOK_SHUTDOWN_GRACE",
        value_name = "DURATION",
        value_parser = duration_between("1ms", "365d"),
        default_value = "10s"
    )]
    pub shutdown_grace: Duration,
}

impl Default for ServiceLimits {
    fn default() -> Self {
        // Takes the defaults from the flags, ignoring the environment.
        let command =
            ServiceLimits::augment_args(Command::new("limits")).mut_args(|flag| flag.env(Resettable::Reset));
        let matches = command.get_matches_from(["limits"]);
        ServiceLimits::from_arg_matches(&matches).expect("every flag has a valid default")
    }
}

/// Rejects zero, with which nothing would be served.
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
    fn the_defaults_are_the_defaults_of_the_flags() {
        let limits = ServiceLimits::default();
        assert_eq!(limits.max_message_bytes, 262_144);
        assert_eq!(limits.shutdown_grace, Duration::from_secs(10));
    }
}
