//! The start: bind the address, open the journal, find the key, begin to play. What can be wrong is wrong here, before
//! anything is served, and says what to do.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use journal::{BindKeyError, Journal};
use play::{Capacity, Durations, Environment, Play, Settings, SystemEnvironment};
use tokio::net::TcpListener;

use crate::database::{Database, DatabaseError};
use crate::key_file::{self, KeyFile, KeyFileError};
use crate::listen::{self, ListenError};
use crate::metrics::{Guard, Metrics};
use crate::payer::Accounts;
use crate::telemetry::OtlpError;
use crate::tls::{Tls, TlsError};
use crate::{Config, CorsOrigins, KeyFileOrigin, ServiceLimits};

/// A service that is ready, and serves once `serve` is called.
pub struct Server {
    pub(crate) listener: TcpListener,
    pub(crate) journal: Journal,
    pub(crate) play: Play,
    pub(crate) limits: ServiceLimits,
    pub(crate) cors_origins: CorsOrigins,
    pub(crate) key_file: KeyFile,
    pub(crate) accounts: Accounts,
    pub(crate) tls: Option<Tls>,
    pub(crate) metrics: Metrics,
    pub(crate) metrics_guard: Guard,
    /// How many API keys there are.
    pub(crate) api_keys: usize,
}

/// Why a service does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServerStartError {
    /// Nothing can listen there.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// No certificate.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The metrics can't be sent as it was wished.
    #[error(transparent)]
    Otlp(#[from] OtlpError),
    /// No journal.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// No key.
    #[error(transparent)]
    KeyFile(#[from] KeyFileError),
    /// The key is another one than the database's.
    #[error(
        "the key file {} is not the one that the database was made with, so no token of it could be checked: name the \
         right file with --key-file, or put it back", path.display()
    )]
    OtherKey {
        /// The wrong key's file.
        path: PathBuf,
    },
    /// The key of the database was changed, and the files not yet.
    #[error(
        "the database is bound to the key in {}.next: `matchbookd key rotate` was interrupted; run it again", path.display()
    )]
    HalfRotated {
        /// The old key's file.
        path: PathBuf,
    },
    /// The database has a key, and its file is not there.
    #[error(
        "the key file {} does not exist, and the database was made with one: put it back from its copy, or name it \
         with --key-file", path.display()
    )]
    LostKey {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The database was opened and then could not be read.
    #[error("the database can't be read: {0}")]
    Play(play::StartError),
}

impl Server {
    /// Gets everything ready. Connections wait from here on, and are answered once `serve` runs.
    pub async fn start(config: Config) -> Result<Self, ServerStartError> {
        Self::start_in(config, Arc::new(SystemEnvironment)).await
    }

    /// The same with time and randomness from somewhere else than the database and the system.
    pub async fn start_in(
        config: Config,
        environment: Arc<dyn Environment>,
    ) -> Result<Self, ServerStartError> {
        let tls = config.tls.as_ref().map(Tls::open).transpose()?;
        let listener = listen::bind(&config).await?;
        let metrics = Metrics::new(&config.otlp)?;
        let journal = open(&config.database, &metrics).await?;
        match begin(&config, journal.clone(), environment).await {
            Ok((play, key_file)) => {
                metrics.observe(&play, &journal);
                let Config { limits, api_keys: keys, trusted_proxies: proxies, cors_origins, .. } = config;
                let accounts = Accounts::new(proxies.clone(), keys.clone());
                let api_keys = keys.count();
                let metrics_guard = Guard { access: config.metrics, proxies, keys };
                Ok(Self {
                    listener,
                    journal,
                    play,
                    limits,
                    cors_origins,
                    key_file,
                    accounts,
                    tls,
                    metrics,
                    metrics_guard,
                    api_keys,
                })
            }
            Err(error) => {
                // It holds the database's lock.
                journal.close().await;
                Err(error)
            }
        }
    }

    /// Returns the address it listens on, with the actual port.
    pub fn address(&self) -> SocketAddr {
        self.listener.local_addr().expect("a bound socket has an address")
    }

    /// Returns the TLS certificate's file, or `None` without TLS.
    pub fn certificate_file(&self) -> Option<&Path> {
        self.tls.as_ref().map(Tls::certificate_file)
    }

    /// Describes the database, without its password.
    pub fn database(&self) -> String {
        self.journal.description().to_string()
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
        self.api_keys
    }
}

async fn open(database: &Database, metrics: &Metrics) -> Result<Journal, DatabaseError> {
    Journal::open(database.journal_config(metrics.meter().clone()))
        .await
        .map_err(|cause| DatabaseError::new(database, cause))
}

async fn begin(
    config: &Config,
    journal: Journal,
    environment: Arc<dyn Environment>,
) -> Result<(Play, KeyFile), ServerStartError> {
    let place = config.key_file.as_deref().unwrap_or(config.database.default_key_file());
    let key_file = key_file::read_or_make(place)?;
    let capacity = Capacity {
        live_matches: config.limits.max_live_matches,
        changes: config.limits.max_calls,
        streams: config.limits.max_watches,
    };
    let durations = Durations {
        heartbeat: config.limits.heartbeat(),
        grace: config.limits.clock_grace(),
        expiry: config.limits.unclaimed_expiry(),
        ..Durations::default()
    };
    let (keys, signing) = (config.api_keys.clone(), config.signing.clone());
    let settings = Settings { capacity, durations, keys, signing, environment };
    match Play::start(journal, key_file.key.clone(), settings).await {
        Ok(play) => Ok((play, key_file)),
        Err(play::StartError::Key(BindKeyError::OtherKey)) => Err(wrong_key(key_file)),
        Err(cause) => Err(ServerStartError::Play(cause)),
    }
}

fn wrong_key(KeyFile { path, origin, .. }: KeyFile) -> ServerStartError {
    match origin {
        KeyFileOrigin::Existing if key_file::next_path(&path).exists() => {
            ServerStartError::HalfRotated { path }
        }
        KeyFileOrigin::Existing => ServerStartError::OtherKey { path },
        KeyFileOrigin::Created => {
            // It opens nothing, and would stand in the way of the one that does.
            let _ = std::fs::remove_file(&path);
            ServerStartError::LostKey { path }
        }
    }
}
