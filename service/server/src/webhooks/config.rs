//! The settings of webhooks. Each is one field here, which clap turns into a flag and an environment variable
//! of `matchbookd`.

use std::time::Duration;

use clap::builder::Resettable;
use clap::{Args, Command, FromArgMatches, ValueEnum};
use play::WebhookLimits;

use crate::durations::duration_between;
use crate::switches::parse_switch;

/// Whether and how events are sent to webhooks.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Webhooks")]
pub struct WebhookConfig {
    /// Webhooks of API keys; if off, calls about them are refused as `WEBHOOKS_OFF`
    #[arg(long, env = "MATCHBOOK_WEBHOOKS", value_name = "SWITCH", value_enum, default_value = "on")]
    pub webhooks: WebhookSwitch,

    /// Allow webhooks with http URLs, whose requests anyone on the network path can read
    #[arg(long, env = "MATCHBOOK_WEBHOOK_ALLOW_HTTP", value_parser = parse_switch)]
    pub webhook_allow_http: bool,

    /// Allow webhooks to private and loopback addresses, so that any app can send requests into the service's
    /// network
    #[arg(
        long,
        env = "MATCHBOOK_WEBHOOK_ALLOW_PRIVATE_NETWORKS",
        value_parser = parse_switch
    )]
    pub webhook_allow_private_networks: bool,

    /// Maximum webhooks per API key; more are refused as `TOO_MANY_WEBHOOKS`
    #[arg(
        long,
        env = "MATCHBOOK_WEBHOOKS_PER_KEY",
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=1000),
        default_value_t = 10
    )]
    pub webhooks_per_key: u32,

    /// Timeout of a delivery attempt, from the name lookup to the response's status
    #[arg(
        long,
        env = "MATCHBOOK_WEBHOOK_TIMEOUT",
        value_name = "DURATION",
        value_parser = duration_between("1ms", "1m"),
        default_value = "10s"
    )]
    pub webhook_timeout: Duration,

    /// Delay before the second delivery attempt; it doubles with each further attempt, up to 6 hours
    #[arg(
        long,
        env = "MATCHBOOK_WEBHOOK_FIRST_RETRY",
        value_name = "DURATION",
        value_parser = duration_between("1ms", "1h"),
        default_value = "5s"
    )]
    pub webhook_first_retry: Duration,

    /// Time until another replica takes over the webhooks of a replica that stopped
    #[arg(
        long,
        env = "MATCHBOOK_WEBHOOK_LEASE",
        value_name = "DURATION",
        value_parser = duration_between("1s", "10m"),
        default_value = "15s"
    )]
    pub webhook_lease: Duration,

    /// Time after the first attempt at which an undelivered event becomes a dead letter
    #[arg(
        long,
        env = "MATCHBOOK_WEBHOOK_GIVE_UP",
        value_name = "DURATION",
        value_parser = duration_between("1s", "31d"),
        default_value = "3d"
    )]
    pub webhook_give_up: Duration,
}

/// Whether a service has webhooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WebhookSwitch {
    /// API keys may have webhooks, and this replica delivers to them.
    On,
    /// Calls about webhooks are refused, and this replica delivers nothing.
    Off,
}

impl WebhookConfig {
    pub(super) fn limits(&self) -> WebhookLimits {
        WebhookLimits {
            per_key: self.webhooks_per_key,
            give_up_after: self.webhook_give_up,
            first_retry: self.webhook_first_retry,
            lease: self.webhook_lease,
            ..WebhookLimits::default()
        }
    }
}

impl Default for WebhookConfig {
    fn default() -> Self {
        // Takes the defaults from the flags, ignoring the environment.
        let command = WebhookConfig::augment_args(Command::new("webhooks"));
        let command = command.mut_args(|flag| flag.env(Resettable::Reset));
        let matches = command.get_matches_from(["webhooks"]);
        WebhookConfig::from_arg_matches(&matches).expect("every flag has a valid default")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_of_the_flags_are_those_of_play() {
        let (flags, limits) = (WebhookConfig::default().limits(), WebhookLimits::default());
        assert_eq!(format!("{flags:?}"), format!("{limits:?}"));
        assert!(!WebhookConfig::default().webhook_allow_private_networks);
        assert!(!WebhookConfig::default().webhook_allow_http);
    }
}
