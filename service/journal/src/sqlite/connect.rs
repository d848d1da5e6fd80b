//! Opening a SQLite file: its lock, its migrations, the writer's and the readers' settings.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection, SqlitePool};
use tokio::sync::Mutex;

use super::lock::FileLock;
use super::place::Place;
use super::{Sqlite, failure};
use crate::schema::{self, Applied};
use crate::{JournalConfig, Migrations, OpenError};

pub(crate) static MIGRATOR: Migrator = sqlx::migrate!("../../migrations/sqlite");

const END_DEAD_LANES: &str = include_str!("../../sql/sqlite/end_dead_lanes.sql");
const HAS_MIGRATIONS: &str = include_str!("../../sql/sqlite/has_migrations.sql");
pub(super) const READ_MIGRATIONS: &str = include_str!("../../sql/sqlite/read_migrations.sql");

/// How long a connection waits for another that writes or checkpoints.
const BUSY: Duration = Duration::from_secs(5);

/// Pages kept in memory by the writer, in KiB as SQLite counts it.
const CACHE: &str = "-32768";

/// Opens the file for this process alone.
pub(crate) async fn open(config: &JournalConfig, path: &Path) -> Result<Sqlite, OpenError> {
    let lock = FileLock::take(path)?;
    let mut writer = connect_writer(path, Missing::Create).await.map_err(|error| unreachable(&error))?;
    match config.migrations {
        Migrations::Apply => run_migrations(&mut writer).await?,
        Migrations::Require => require_migrated(&mut writer).await?,
    }
    sqlx::query(END_DEAD_LANES).execute(&mut writer).await.map_err(|error| unreachable(&error))?;
    Ok(Sqlite {
        place: place_of(path)?,
        writer: Arc::new(Mutex::new(Some(writer))),
        readers: readers(config, path),
        read_within: config.timing.read_within,
        lock: std::sync::Mutex::new(Some(lock)),
    })
}

/// Opens the file beside the process that serves it, if there is one: the lock lets one process write, and this one can't.
pub(crate) async fn open_reader(config: &JournalConfig, path: &Path) -> Result<Sqlite, OpenError> {
    let mut reader = options(path).read_only(true).connect().await.map_err(|error| unreachable(&error))?;
    let applied = applied(&mut reader).await;
    let applied = applied.map_err(|error| OpenError::NotMigrated { what: error.to_string() })?;
    schema::judge_for_reading(&MIGRATOR, &applied)?;
    reader.close().await.map_err(|error| unreachable(&error))?;
    Ok(Sqlite {
        place: place_of(path)?,
        writer: Arc::default(),
        readers: readers(config, path),
        read_within: config.timing.read_within,
        lock: std::sync::Mutex::default(),
    })
}

fn place_of(path: &Path) -> Result<Place, OpenError> {
    Place::of(path).map_err(|error| OpenError::File { path: path.to_owned(), error })
}

fn readers(config: &JournalConfig, path: &Path) -> SqlitePool {
    SqlitePoolOptions::new()
        .max_connections(config.limits.readers)
        .acquire_timeout(config.timing.read_within)
        .test_before_acquire(false)
        .connect_lazy_with(options(path).read_only(true))
}

/// Brings the schema up to date.
pub(crate) async fn migrate(path: &Path) -> Result<(), OpenError> {
    let _lock = FileLock::take(path)?;
    let mut writer = connect_writer(path, Missing::Create).await.map_err(|error| unreachable(&error))?;
    run_migrations(&mut writer).await?;
    writer.close().await.map_err(|error| unreachable(&error))
}

/// What is done about a file that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// It is made.
    Create,
    /// It is an error: an empty file in the place of a journal would be another history.
    Refuse,
}

/// The settings under which an acknowledged commit survives a power cut.
pub(super) async fn connect_writer(path: &Path, missing: Missing) -> Result<SqliteConnection, sqlx::Error> {
    if missing == Missing::Create {
        make_private(path);
    }
    options(path)
        .create_if_missing(missing == Missing::Create)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .pragma("cache_size", CACHE)
        .connect()
        .await
}

/// Running matches have secrets in it, so a new file is its owner's alone; SQLite gives the files beside it the same mode.
fn make_private(path: &Path) {
    // What keeps the file from being made keeps SQLite from opening it, and SQLite says so.
    let _ = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).busy_timeout(BUSY).disable_statement_logging()
}

async fn run_migrations(writer: &mut SqliteConnection) -> Result<(), OpenError> {
    let failed = |error: sqlx::Error| OpenError::Migration { what: error.to_string() };
    if sqlx::query_scalar::<_, bool>(HAS_MIGRATIONS).fetch_one(&mut *writer).await.map_err(failed)? {
        schema::judge_newer(&MIGRATOR, &applied(writer).await.map_err(failed)?)?;
    }
    let mut migrator = Migrator::with_migrations(MIGRATOR.iter().cloned().collect());
    migrator.set_ignore_missing(true);
    migrator.run(writer).await.map_err(|error| OpenError::of_migration(&error, sqlx::Error::to_string))
}

async fn require_migrated(writer: &mut SqliteConnection) -> Result<(), OpenError> {
    let applied = applied(writer).await;
    let applied = applied.map_err(|error| OpenError::NotMigrated { what: error.to_string() })?;
    Ok(schema::judge(&MIGRATOR, &applied)?)
}

async fn applied(connection: &mut SqliteConnection) -> Result<Vec<Applied>, sqlx::Error> {
    sqlx::query_as(READ_MIGRATIONS).fetch_all(connection).await
}

fn unreachable(error: &sqlx::Error) -> OpenError {
    OpenError::Unreachable(failure::of_read(error))
}
