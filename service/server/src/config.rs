//! What a server is started with.

use std::path::PathBuf;

use play::{KeyRing, Signing};

use crate::telemetry::OtlpSettings;
use crate::{CorsOrigins, Database, MetricsAccess, ServiceLimits, TlsFiles, TrustedProxies};

/// Everything that `Server::start` needs to know.
#[derive(Debug, Clone)]
pub struct Config {
    /// `HOST:PORT`; port 0 takes a free one.
    pub listen: String,
    /// From where it may be reachable without API keys.
    pub exposure: Exposure,
    /// From where it may be reachable without TLS.
    pub plaintext: Exposure,
    /// The keys of apps, auditors and operators.
    pub api_keys: KeyRing,
    /// What logs are signed as.
    pub signing: Signing,
    /// The certificate to serve with; plaintext if absent.
    pub tls: Option<TlsFiles>,
    /// Whose word counts for where a call comes from.
    pub trusted_proxies: TrustedProxies,
    /// Where the matches are.
    pub database: Database,
    /// The service key's file; if absent, its place beside the database.
    pub key_file: Option<PathBuf>,
    /// How much it takes at once.
    pub limits: ServiceLimits,
    /// Whose web pages may call it.
    pub cors_origins: CorsOrigins,
    /// Who may read `/metrics`.
    pub metrics: MetricsAccess,
    /// Where metrics are sent.
    pub otlp: OtlpSettings,
}

/// From where the service may be reachable although something is missing that would protect it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exposure {
    /// Only from this machine.
    Loopback,
    /// From wherever the address can be reached.
    Anywhere,
}

/// What a command that needs the service stopped does if replicas are serving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServingReplicas {
    /// Fail and change nothing.
    Reject,
    /// Proceed; the replicas can no longer write, and stop.
    Fence,
}

impl Config {
    /// A server on this machine alone, open and in plaintext, with the usual limits.
    pub fn new(listen: impl Into<String>, database: Database) -> Self {
        Self {
            listen: listen.into(),
            exposure: Exposure::Loopback,
            plaintext: Exposure::Loopback,
            api_keys: KeyRing::open(),
            signing: Signing::default(),
            tls: None,
            trusted_proxies: TrustedProxies::default(),
            database,
            key_file: None,
            limits: ServiceLimits::default(),
            cors_origins: CorsOrigins::None,
            metrics: MetricsAccess::default(),
            otlp: OtlpSettings::default(),
        }
    }
}
