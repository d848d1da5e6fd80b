//! The arguments that control who may call and how connections are protected.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use ipnet::IpNet;
use server::{
    Config, Exposure, ForwardedHeader, MetricsAccess, TlsFiles, TrustedProxies, parse_switch, read_api_keys,
};

use super::invalid_setting::InvalidSetting;

/// API keys, TLS, proxies, and access to the metrics.
#[derive(Args)]
#[command(next_help_heading = "Access and TLS")]
pub(super) struct AccessArguments {
    // A string, as clap repeats what it cannot parse and the user may pass the key itself by mistake.
    /// API key as printed by `matchbookd key new`: NAME:ROLE:HASH. Repeat the flag, or separate keys by
    /// commas or newlines. Without any key, anyone may create matches
    #[arg(long = "api-key", env = "MATCHBOOK_API_KEYS", hide_env_values = true, value_name = "LINE")]
    api_keys: Vec<String>,

    /// File with one API key per line; blank lines and lines that start with # are ignored
    #[arg(long, env = "MATCHBOOK_API_KEYS_FILE", value_name = "PATH")]
    api_keys_file: Option<PathBuf>,

    /// TLS certificate chain in PEM, leaf first; reloaded when it changes
    #[arg(long, env = "MATCHBOOK_TLS_CERT", value_name = "PATH")]
    tls_cert: Option<PathBuf>,

    /// Private key of the TLS certificate, in PEM
    #[arg(long, env = "MATCHBOOK_TLS_KEY", value_name = "PATH")]
    tls_key: Option<PathBuf>,

    /// Allow a non-loopback --listen without API keys: anyone who can reach the service can create and watch
    /// matches
    #[arg(long, env = "MATCHBOOK_ALLOW_OPEN", value_parser = parse_switch)]
    allow_open: bool,

    /// Allow a non-loopback --listen with API keys but without TLS, for a proxy that terminates TLS; the
    /// network between them must be private
    #[arg(long, env = "MATCHBOOK_ALLOW_PLAINTEXT", value_parser = parse_switch)]
    allow_plaintext: bool,

    /// Networks of trusted proxies, such as 10.0.0.0/8, whose forwarded client addresses count
    #[arg(
        long,
        env = "MATCHBOOK_TRUSTED_PROXIES",
        value_name = "CIDR,...",
        value_delimiter = ',',
        value_parser = parse_network
    )]
    trusted_proxies: Vec<IpNet>,

    /// Header in which trusted proxies forward the client address; they must set it themselves, whatever the
    /// client sent
    #[arg(
        long,
        env = "MATCHBOOK_FORWARDED_HEADER",
        value_name = "NAME",
        value_enum,
        default_value = "x-forwarded-for"
    )]
    forwarded_header: ForwardedHeader,

    /// Access to /metrics
    #[arg(long, env = "MATCHBOOK_METRICS", value_name = "WHO", value_enum, default_value = "guarded")]
    metrics: MetricsAccess,
}

impl AccessArguments {
    /// Adds these settings to a configuration, reading the API key file.
    pub(super) fn configure(self, config: Config) -> Result<Config, InvalidSetting> {
        let api_keys = read_api_keys(&self.api_keys, self.api_keys_file.as_deref());
        // Checked here and not by clap, as the two may come from different sources.
        let tls = match (self.tls_cert, self.tls_key) {
            (Some(certificate), Some(key)) => Some(TlsFiles { certificate, key }),
            (None, None) => None,
            (Some(_), None) => return Err(InvalidSetting::new("tls-cert", "requires --tls-key")),
            (None, Some(_)) => return Err(InvalidSetting::new("tls-key", "requires --tls-cert")),
        };
        Ok(Config {
            exposure: exposure(self.allow_open),
            plaintext: exposure(self.allow_plaintext),
            api_keys: api_keys.map_err(|error| InvalidSetting::new(error.setting(), error))?,
            tls,
            trusted_proxies: TrustedProxies { networks: self.trusted_proxies, header: self.forwarded_header },
            metrics: self.metrics,
            ..config
        })
    }
}

fn exposure(allowed: bool) -> Exposure {
    if allowed { Exposure::Anywhere } else { Exposure::Loopback }
}

/// Parses a network, or a single address as a network of one.
fn parse_network(text: &str) -> Result<IpNet, String> {
    let address = || text.parse().ok().map(|address: IpAddr| address.into());
    text.parse()
        .ok()
        .or_else(address)
        .ok_or_else(|| "not a network; write it as 10.0.0.0/8 or fd00::/8".to_owned())
}
