//! The configuration of a server.

use std::path::PathBuf;

use play::{Games, KeyRing, Signing};

use crate::archive::ArchiveSettings;
use crate::database::Database;
use crate::limits::ServiceLimits;
use crate::listener::{Exposure, ListenPolicy, TlsFiles, TrustedProxies};
use crate::pages::MetricsAccess;
use crate::rest::CorsOrigins;
use crate::telemetry::OtlpSettings;
use crate::webhooks::WebhookConfig;

/// The configuration of a server.
#[derive(Debug, Clone)]
pub struct Config {
    /// `HOST:PORT`; port 0 picks a free port.
    pub listen: String,
    /// `HOST:PORT` of a second listener that has health checks only; `None` for none.
    pub health_listen: Option<String>,
    /// Where the service may listen without API keys.
    pub exposure: Exposure,
    /// Where the service may listen without TLS.
    pub plaintext: Exposure,
    /// The games, and the versions of their rules.
    pub games: Games,
    /// The API keys.
    pub api_keys: KeyRing,
    /// The name that logs are signed under, and the retired keys.
    pub signing: Signing,
    /// The TLS certificate; plaintext if `None`.
    pub tls: Option<TlsFiles>,
    /// The proxies whose forwarded client addresses count.
    pub trusted_proxies: TrustedProxies,
    /// The database.
    pub database: Database,
    /// The archive of finished matches, if there is one.
    pub archive: Option<ArchiveSettings>,
    /// The service key file; `None` for its default path.
    pub key_file: Option<PathBuf>,
    /// The limits of this replica.
    pub limits: ServiceLimits,
    /// Whether and how events are sent to webhooks.
    pub webhooks: WebhookConfig,
    /// The web origins that may call from a browser.
    pub cors_origins: CorsOrigins,
    /// Who may read `/metrics`.
    pub metrics: MetricsAccess,
    /// The export of metrics. Traces are part of the process's log, see `telemetry::init_log`.
    pub otlp: OtlpSettings,
}

impl Config {
    /// Returns an open, plaintext configuration for loopback addresses, with the default limits.
    pub fn new(listen: impl Into<String>, database: Database) -> Self {
        Self {
            listen: listen.into(),
            health_listen: None,
            exposure: Exposure::Loopback,
            plaintext: Exposure::Loopback,
            games: Games::built_in(),
            api_keys: KeyRing::open(),
            signing: Signing::default(),
            tls: None,
            trusted_proxies: TrustedProxies::default(),
            database,
            archive: None,
            key_file: None,
            limits: ServiceLimits::default(),
            webhooks: WebhookConfig::default(),
            cors_origins: CorsOrigins::None,
            metrics: MetricsAccess::default(),
            otlp: OtlpSettings::default(),
        }
    }

    /// Returns the address to listen on and what protects the service there.
    pub(crate) fn listen_policy(&self) -> ListenPolicy<'_> {
        ListenPolicy {
            listen: &self.listen,
            open: self.api_keys.is_open(),
            plaintext: self.tls.is_none(),
            open_exposure: self.exposure,
            plaintext_exposure: self.plaintext,
        }
    }
}
