//! Starts a server: binds the address, opens the journal, reads the service key, starts `play`. Configuration
//! errors surface here, before anything is served.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use ::archive::Archive;
use journal::{ArchivedLogs, BindKeyError, Journal};
use play::{Capacity, Durations, Environment, Play, ServiceKey, Settings, SystemEnvironment};
use tokio::net::TcpListener;

use crate::admission::RateLimitKeys;
use crate::archive::{self, ArchiveSettings, SharedReader};
use crate::config::Config;
use crate::database::{Database, DatabaseError};
use crate::keys::{self, KeyFile, KeyFileOrigin};
use crate::limits::ServiceLimits;
use crate::listener::{self, Tls, TrustedProxies};
use crate::pages::MetricsGuard;
use crate::rest::CorsOrigins;
use crate::start_error::ServerStartError;
use crate::telemetry::metrics::Metrics;
use crate::webhooks;

/// A started server. Connections wait in the socket's backlog until `serve` is called.
pub struct Server {
    pub(crate) listener: TcpListener,
    pub(crate) health_listener: Option<TcpListener>,
    pub(crate) journal: Journal,
    pub(crate) play: Play,
    pub(crate) limits: ServiceLimits,
    pub(crate) cors_origins: CorsOrigins,
    pub(crate) key_file: KeyFile,
    pub(crate) rate_limit_keys: RateLimitKeys,
    pub(crate) proxies: TrustedProxies,
    pub(crate) tls: Option<Tls>,
    pub(crate) metrics: Metrics,
    pub(crate) metrics_guard: MetricsGuard,
    pub(crate) api_key_count: usize,
    is_durable: bool,
}

impl Server {
    /// Starts a server with the time and randomness of the system.
    pub async fn start(config: Config) -> Result<Self, ServerStartError> {
        Self::start_in(config, Arc::new(SystemEnvironment)).await
    }

    /// Starts a server with the given time and randomness.
    pub async fn start_in(
        config: Config,
        environment: Arc<dyn Environment>,
    ) -> Result<Self, ServerStartError> {
        let tls = config.tls.as_ref().map(Tls::load).transpose()?;
        let listener = listener::bind(&config.listen_policy()).await?;
        let health_listener = match &config.health_listen {
            Some(listen) => {
                Some(listener::bind_for_health(listen).await.map_err(ServerStartError::HealthListen)?)
            }
            None => None,
        };
        let metrics = Metrics::new(&config.otlp)?;
        let opened = config.archive.as_ref().map(open_archive).transpose()?;
        let archived = opened.as_ref().map(|_| Arc::new(SharedReader::default()));
        let journal = open(&config.database, &metrics, archived.clone()).await?;
        match start_play(&config, journal.clone(), environment).await {
            Ok((play, key_file)) => {
                if let (Some((archive, old_keys)), Some(archived)) = (opened, archived) {
                    archived.set(archive::reader(archive, &key_file.key, &old_keys, &config.signing));
                }
                metrics.observe(&play, &journal);
                let is_durable = config.database.is_durable();
                let Config { limits, api_keys: keys, trusted_proxies: proxies, cors_origins, .. } = config;
                let rate_limit_keys = RateLimitKeys::new(proxies.clone(), keys.clone(), play.seat_tokens());
                let api_key_count = keys.count();
                let metrics_guard = MetricsGuard { access: config.metrics, proxies: proxies.clone(), keys };
                Ok(Self {
                    listener,
                    health_listener,
                    journal,
                    play,
                    limits,
                    cors_origins,
                    key_file,
                    rate_limit_keys,
                    proxies,
                    tls,
                    metrics,
                    metrics_guard,
                    api_key_count,
                    is_durable,
                })
            }
            Err(error) => {
                // Releases the database's lock.
                journal.close().await;
                Err(error)
            }
        }
    }

    /// Returns the address it listens on, with the actual port.
    pub fn address(&self) -> SocketAddr {
        self.listener.local_addr().expect("a bound socket has an address")
    }

    /// Returns the address of the health checks, if they have their own.
    pub fn health_address(&self) -> Option<SocketAddr> {
        let listener = self.health_listener.as_ref()?;
        Some(listener.local_addr().expect("a bound socket has an address"))
    }

    /// Returns the TLS certificate's file, or `None` without TLS.
    pub fn certificate_file(&self) -> Option<&Path> {
        self.tls.as_ref().map(Tls::certificate_file)
    }

    /// Describes the database, without its password.
    pub fn database(&self) -> String {
        self.journal.description().to_string()
    }

    /// Returns whether the database outlives the process.
    pub fn is_durable(&self) -> bool {
        self.is_durable
    }

    /// Returns the service key's file.
    pub fn key_file(&self) -> &Path {
        &self.key_file.path
    }

    /// Returns whether this start created the service key.
    pub fn key_file_origin(&self) -> KeyFileOrigin {
        self.key_file.origin
    }

    /// Returns the number of API keys; with none, everyone may create matches.
    pub fn api_key_count(&self) -> usize {
        self.api_key_count
    }
}

/// Opens an archive, and reads the keys from before rotations.
fn open_archive(settings: &ArchiveSettings) -> Result<(Archive, Vec<ServiceKey>), ServerStartError> {
    Ok((settings.open()?, settings.old_keys()?))
}

async fn open(
    database: &Database,
    metrics: &Metrics,
    archived: Option<Arc<SharedReader>>,
) -> Result<Journal, DatabaseError> {
    let archived = archived.map(|reader| reader as Arc<dyn ArchivedLogs>);
    Journal::open(database.journal_config(metrics.meter().clone(), archived))
        .await
        .map_err(|cause| DatabaseError::new(database, cause))
}

async fn start_play(
    config: &Config,
    journal: Journal,
    environment: Arc<dyn Environment>,
) -> Result<(Play, KeyFile), ServerStartError> {
    let path = config.key_file.as_deref().unwrap_or(config.database.default_key_file());
    let key_file = keys::read_or_create(path)?;
    let capacity = Capacity {
        live_bytes: config.limits.max_live_bytes,
        changes: config.limits.max_calls,
        streams: config.limits.max_watches,
        fork_bytes_per_hour: config.limits.fork_bytes_per_hour,
        ..Capacity::default()
    };
    let durations = Durations {
        heartbeat: config.limits.heartbeat,
        grace: config.limits.clock_grace,
        expiry: config.limits.unclaimed_expiry,
        ..Durations::default()
    };
    let settings = Settings {
        games: config.games,
        capacity,
        durations,
        keys: config.api_keys.clone(),
        signing: config.signing.clone(),
        webhooks: webhooks::settings(&config.webhooks, &config.api_keys),
        environment,
    };
    match Play::start(journal, key_file.key.clone(), settings).await {
        Ok(play) => Ok((play, key_file)),
        Err(play::StartError::Key(BindKeyError::OtherKey)) => Err(wrong_key(key_file)),
        Err(play::StartError::Key(BindKeyError::OtherName { bound })) => {
            Err(ServerStartError::OtherName { bound, given: config.signing.name.to_string() })
        }
        Err(cause) => Err(ServerStartError::Play(cause)),
    }
}

fn wrong_key(KeyFile { path, origin, .. }: KeyFile) -> ServerStartError {
    match origin {
        KeyFileOrigin::Existing if keys::next_path(&path).exists() => ServerStartError::HalfRotated { path },
        KeyFileOrigin::Existing => ServerStartError::OtherKey { path },
        KeyFileOrigin::Created => {
            // Removes the new key, which is useless for this database and would be in the way of the right
            // one.
            let _ = std::fs::remove_file(&path);
            ServerStartError::LostKey { path }
        }
    }
}
