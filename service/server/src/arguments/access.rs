//! The flags about who may call, and how the way to the service is protected.

use std::path::PathBuf;

use clap::Args;
use clap::builder::FalseyValueParser;
use ipnet::IpNet;
use server::{
    Config, Exposure, ForwardedHeader, MetricsAccess, Security, TlsFiles, TrustedProxies, read_keys,
};

/// Who may call, and from where.
#[derive(Args)]
#[command(next_help_heading = "Access")]
pub(crate) struct AccessArguments {
    // A text and not yet a key: clap repeats what it can't parse, and somebody may give the secret.
    /// An API key as `matchbookd key new` prints it for here, NAME:ROLE:HASH; once for each, or several separated by
    /// commas or line ends. Without any, everybody may create matches
    #[arg(long = "api-key", env = "MATCHBOOK_API_KEYS", hide_env_values = true, value_name = "LINE")]
    api_keys: Vec<String>,

    /// A file of such lines; empty ones and those that begin with # don't count
    #[arg(long, env = "MATCHBOOK_API_KEYS_FILE", value_name = "PATH")]
    api_keys_file: Option<PathBuf>,

    /// Serve over TLS with this certificate, PEM, those between it and the root after it; read again when it changes
    #[arg(long, env = "MATCHBOOK_TLS_CERT", value_name = "PATH")]
    tls_cert: Option<PathBuf>,

    /// The certificate's private key, PEM
    #[arg(long, env = "MATCHBOOK_TLS_KEY", value_name = "PATH")]
    tls_key: Option<PathBuf>,

    /// Allow --listen to be reachable from other machines without any API key: everybody who reaches the service can
    /// create and watch matches
    #[arg(long, env = "MATCHBOOK_ALLOW_OPEN", value_parser = FalseyValueParser::new())]
    allow_open: bool,

    /// Allow --listen to be reachable from other machines with API keys but without TLS, for a proxy in front that
    /// does TLS: the way from there must be private
    #[arg(long, env = "MATCHBOOK_ALLOW_PLAINTEXT", value_parser = FalseyValueParser::new())]
    allow_plaintext: bool,

    /// Networks of the proxies in front, such as 10.0.0.0/8: what they say of where a call comes from is believed
    #[arg(long, env = "MATCHBOOK_TRUSTED_PROXIES", value_name = "CIDR,...", value_delimiter = ',', value_parser = network)]
    trusted_proxies: Vec<IpNet>,

    /// Where these proxies say it. They must write this header themselves, whatever their caller sent
    #[arg(
        long,
        env = "MATCHBOOK_FORWARDED_HEADER",
        value_name = "NAME",
        value_enum,
        default_value = "x-forwarded-for"
    )]
    forwarded_header: ForwardedHeader,

    /// Who may read /metrics
    #[arg(long, env = "MATCHBOOK_METRICS", value_name = "WHO", value_enum, default_value = "guarded")]
    metrics: MetricsAccess,
}

/// How a local service is asked.
#[derive(Args)]
pub(crate) struct TlsCertArgument {
    /// The service serves TLS, with this certificate (the flag of `serve`; the certificate is not compared)
    #[arg(long, env = "MATCHBOOK_TLS_CERT", value_name = "PATH")]
    tls_cert: Option<PathBuf>,
}

impl AccessArguments {
    /// The same server with this access.
    pub(crate) fn configure(self, config: Config) -> Result<Config, String> {
        let api_keys = read_keys(&self.api_keys, self.api_keys_file.as_deref());
        // Not clap's to check: they may come from different sources.
        let tls = match (self.tls_cert, self.tls_key) {
            (Some(certificate), Some(key)) => Some(TlsFiles { certificate, key }),
            (None, None) => None,
            (Some(_), None) => return Err("--tls-cert (MATCHBOOK_TLS_CERT) needs --tls-key".to_owned()),
            (None, Some(_)) => return Err("--tls-key (MATCHBOOK_TLS_KEY) needs --tls-cert".to_owned()),
        };
        Ok(Config {
            exposure: exposure(self.allow_open),
            plaintext: exposure(self.allow_plaintext),
            api_keys: api_keys.map_err(|error| error.to_string())?,
            tls,
            trusted_proxies: TrustedProxies { networks: self.trusted_proxies, header: self.forwarded_header },
            metrics: self.metrics,
            ..config
        })
    }
}

impl TlsCertArgument {
    /// What the service is asked through.
    pub(crate) fn security(&self) -> Security {
        if self.tls_cert.is_some() { Security::Tls } else { Security::Plaintext }
    }
}

fn exposure(allowed: bool) -> Exposure {
    if allowed { Exposure::Anywhere } else { Exposure::Loopback }
}

/// A network, or one address as a network of its own.
fn network(text: &str) -> Result<IpNet, String> {
    let address = || text.parse().ok().map(|address: std::net::IpAddr| address.into());
    text.parse()
        .ok()
        .or_else(address)
        .ok_or_else(|| "a network is written as 10.0.0.0/8 or fd00::/8".to_owned())
}
