//! Opening a journal: the database by its URL, its lanes, and the tasks that go with them.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use sqlx::migrate::MigrateError;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::context::{Context, Rivals};
use crate::feed::Signals;
use crate::ids::ReplicaId;
use crate::instruments::Instruments;
use crate::journal::{Inner, Journal};
use crate::lane::{LaneTask, Role};
use crate::memory::Memory;
use crate::racing::Racing;
use crate::status::Status;
use crate::store::{Opened, WriteError};
use crate::tailer::{Tailer, Watches};
use crate::time::DatabaseTime;
use crate::url::Database;
use crate::{DatabaseUrl, JournalConfig, ReadError, SchemaError, clock, postgres, retention, sqlite};

/// Why a journal can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The database can't be reached.
    #[error("the database can't be reached: {0}")]
    Unreachable(ReadError),
    /// Its server is not who it should be, or can't speak TLS.
    #[error("no TLS connection to the database's server can be trusted: {what}")]
    Untrusted {
        /// Why not.
        what: String,
    },
    /// Rights could not be given.
    #[error("the role was not given its rights: {what}")]
    Grant {
        /// Why not.
        what: String,
    },
    /// Another process serves this SQLite file.
    #[error("the database {} is in use by another process, which holds {}", database.display(), lock.display())]
    InUse {
        /// The database.
        database: PathBuf,
        /// The file that the other process has locked.
        lock: PathBuf,
    },
    /// The file or its lock can't be opened.
    #[error("can't open {}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// The schema could not be brought up to date.
    #[error("the migration failed: {what}")]
    Migration {
        /// Why.
        what: String,
    },
    /// There is no schema, or it can't be looked at.
    #[error("the database was not migrated: {what}")]
    NotMigrated {
        /// What the database says.
        what: String,
    },
    /// The schema is not one that this program can use.
    #[error("the database's tables are not this program's: {0}")]
    Schema(#[from] SchemaError),
    /// A database to read from was named, and one of both is not Postgres.
    #[error("only a Postgres has a read database, and it is a standby of the same Postgres")]
    NoStandby,
    /// No lane could be opened.
    #[error("no lane can be opened: {what}")]
    Lane {
        /// Why.
        what: String,
    },
}

/// Brings a database's schema up to date and does nothing else.
pub async fn migrate(url: &DatabaseUrl) -> Result<(), OpenError> {
    match &url.0 {
        Database::Memory => Ok(()),
        Database::Sqlite(path) => sqlite::migrate(path).await,
        Database::Postgres(options) => postgres::migrate(options).await,
    }
}

/// Gives a role the rights to serve this database, and no others.
pub async fn grant(url: &DatabaseUrl, role: &str) -> Result<(), OpenError> {
    match &url.0 {
        Database::Memory | Database::Sqlite(_) => {
            Err(OpenError::Grant { what: "only Postgres has roles".to_owned() })
        }
        Database::Postgres(options) => postgres::grant(options, role).await,
    }
}

/// How many commits of others a receiver may lag behind before it must read again.
const COMMITS_REMEMBERED: usize = 4096;

impl Journal {
    /// Opens the database, brings its schema up to date if asked to, and starts the tasks.
    pub async fn open(config: JournalConfig) -> Result<Journal, OpenError> {
        let replica = ReplicaId::mint();
        let opened = open_store(&config, replica).await?;
        Journal::over(opened, &config, replica).await
    }

    /// Opens the lanes of an opened store and starts the tasks.
    pub(crate) async fn over(
        opened: Opened,
        config: &JournalConfig,
        replica: ReplicaId,
    ) -> Result<Journal, OpenError> {
        let Opened { store, tail, description } = opened;
        let time = DatabaseTime::from_system();
        time.adjust(&clock::compare(store.as_ref()).await.map_err(OpenError::Unreachable)?);
        let context = Arc::new(Context {
            store,
            replica,
            time,
            status: Status::new(),
            racing: Racing::default(),
            closing: CancellationToken::new(),
            limits: config.limits,
            instruments: Instruments::new(&config.meter),
            timing: config.timing,
            rivals: if tail.is_some() { Rivals::Possible } else { Rivals::Excluded },
            commits: broadcast::Sender::new(COMMITS_REMEMBERED),
            feed: Signals::default(),
        });
        let stop = context.closing.clone().drop_guard();
        let (writer_task, writer) = LaneTask::open(context.clone(), Role::Writer).await.map_err(no_lane)?;
        let mut lanes = vec![writer_task];
        let watches = Arc::new(Watches::default());
        let mut solo = None;
        if let Some(source) = tail {
            let (solo_task, queue) = LaneTask::open(context.clone(), Role::Solo).await.map_err(no_lane)?;
            lanes.push(solo_task);
            solo = Some(queue);
            let known = source.known_lanes().await.map_err(OpenError::Unreachable)?;
            let tailer = Tailer::new(context.clone(), source, known, watches.clone());
            tokio::spawn(tailer.run());
        }
        tokio::spawn(clock::run(context.clone()));
        tokio::spawn(retention::run(context.clone()));
        let lanes = Mutex::new(lanes.into_iter().map(|lane| tokio::spawn(lane.run())).collect());
        let inner = Inner { context, description, writer, solo, watches, lanes, _stop: stop };
        Ok(Journal { inner: Arc::new(inner) })
    }
}

pub(crate) async fn open_store(config: &JournalConfig, replica: ReplicaId) -> Result<Opened, OpenError> {
    let description = config.url.to_string();
    if config.read_url.is_some() && !matches!(&config.url.0, Database::Postgres(_)) {
        return Err(OpenError::NoStandby);
    }
    match &config.url.0 {
        Database::Memory => Ok(Opened { store: Arc::new(Memory::default()), tail: None, description }),
        Database::Sqlite(path) => {
            Ok(Opened { store: Arc::new(sqlite::open(config, path).await?), tail: None, description })
        }
        Database::Postgres(options) => {
            let postgres = postgres::open(config, options, replica).await?;
            Ok(Opened { store: Arc::new(postgres.clone()), tail: Some(Arc::new(postgres)), description })
        }
    }
}

impl OpenError {
    /// A failed migration in words.
    pub(crate) fn of_migration(error: &MigrateError, text: impl Fn(&sqlx::Error) -> String) -> OpenError {
        let what = match error {
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => text(error),
            error => error.to_string(),
        };
        OpenError::Migration { what }
    }
}

fn no_lane(error: WriteError) -> OpenError {
    OpenError::Lane { what: error.to_string() }
}
