//! Opening a SQLite file: its lock, its migrations, the settings of the writer and of readers.

use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection, SqlitePool};
use tokio::sync::Mutex;

use super::lock::FileLock;
use super::opened_file::OpenedFile;
use super::statements::MatchQueries;
use super::{Sqlite, failure};
use crate::sql::{MigrationFile, migrator};
use crate::store::{
    AppliedMigration, StoreSettings, check_newer_migrations, check_schema, check_schema_for_reading,
};
use crate::{Migrations, OpenError};

const MIGRATIONS: &[MigrationFile] = include!(concat!(env!("OUT_DIR"), "/sqlite_migrations.rs"));

pub(crate) static MIGRATOR: LazyLock<Migrator> = LazyLock::new(|| migrator(MIGRATIONS));

const CLOSE_DEAD_WRITERS: &str = include_str!("sql/close_dead_writers.sql");
const READ_COLUMNS: &str = include_str!("sql/read_columns.sql");
const HAS_MIGRATIONS: &str = include_str!("sql/has_migrations.sql");
pub(super) const READ_MIGRATIONS: &str = include_str!("sql/read_migrations.sql");

/// How long a connection waits for another one that writes or checkpoints.
const BUSY: Duration = Duration::from_secs(5);

/// The writer's page cache: 32 MiB, as a negative number of KiB.
const CACHE: &str = "-32768";

/// Opens the file for serving. No other process can open it meanwhile.
pub(crate) async fn open(settings: &StoreSettings, path: &Path) -> Result<Sqlite, OpenError> {
    let lock = FileLock::take(path)?;
    let mut writer = connect_writer(path).await.map_err(|error| unreachable(&error))?;
    match settings.migrations {
        Migrations::Apply => run_migrations(&mut writer).await?,
        Migrations::Require => require_migrated(&mut writer).await?,
    }
    sqlx::query(CLOSE_DEAD_WRITERS).execute(&mut writer).await.map_err(|error| unreachable(&error))?;
    Ok(Sqlite {
        file: opened_file(path)?,
        connection: Arc::new(Mutex::new(Some(writer))),
        readers: readers(settings, path),
        matches: MatchQueries::new(),
        read_timeout: settings.read_timeout,
        lock: std::sync::Mutex::new(Some(lock)),
    })
}

/// Opens the file for reading. It needs no lock, because it can't write; another process may serve the file.
pub(crate) async fn open_reader(settings: &StoreSettings, path: &Path) -> Result<Sqlite, OpenError> {
    if !path.exists() {
        return Err(OpenError::NoFile { path: path.to_owned() });
    }
    let mut reader = options(path).read_only(true).connect().await.map_err(|error| unreachable(&error))?;
    let applied = applied(&mut reader).await;
    let applied = applied.map_err(|error| OpenError::NotMigrated { what: error.to_string() })?;
    check_schema_for_reading(&MIGRATOR, &applied)?;
    let matches = columns(&mut reader, "match").await?;
    let seats = columns(&mut reader, "match_seat").await?;
    reader.close().await.map_err(|error| unreachable(&error))?;
    Ok(Sqlite {
        file: opened_file(path)?,
        connection: Arc::default(),
        readers: readers(settings, path),
        matches: MatchQueries::of_tables(&matches, &seats),
        read_timeout: settings.read_timeout,
        lock: std::sync::Mutex::default(),
    })
}

/// Returns the columns of a table.
async fn columns(connection: &mut SqliteConnection, table: &str) -> Result<Vec<String>, OpenError> {
    let columns = sqlx::query_scalar(READ_COLUMNS).bind(table).fetch_all(connection).await;
    columns.map_err(|error| unreachable(&error))
}

fn opened_file(path: &Path) -> Result<OpenedFile, OpenError> {
    OpenedFile::at(path).map_err(|error| OpenError::File { path: path.to_owned(), error })
}

fn readers(settings: &StoreSettings, path: &Path) -> SqlitePool {
    SqlitePoolOptions::new()
        .max_connections(settings.max_readers)
        .acquire_timeout(settings.read_timeout)
        .test_before_acquire(false)
        .connect_lazy_with(options(path).read_only(true))
}

/// Migrates the schema.
pub(crate) async fn migrate(path: &Path) -> Result<(), OpenError> {
    let _lock = FileLock::take(path)?;
    let mut writer = connect_writer(path).await.map_err(|error| unreachable(&error))?;
    run_migrations(&mut writer).await?;
    writer.close().await.map_err(|error| unreachable(&error))
}

/// Connects with settings under which acknowledged commits survive a power failure, and what is erased is
/// overwritten in the file. The file must exist: an empty file in place of a journal would be another
/// history.
pub(super) async fn connect_writer(path: &Path) -> Result<SqliteConnection, sqlx::Error> {
    options(path)
        .create_if_missing(false)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .pragma("cache_size", CACHE)
        .pragma("secure_delete", "FAST")
        .connect()
        .await
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).busy_timeout(BUSY).disable_statement_logging()
}

async fn run_migrations(writer: &mut SqliteConnection) -> Result<(), OpenError> {
    let failed = |error: sqlx::Error| OpenError::Migration { what: error.to_string() };
    if sqlx::query_scalar::<_, bool>(HAS_MIGRATIONS).fetch_one(&mut *writer).await.map_err(failed)? {
        check_newer_migrations(&MIGRATOR, &applied(writer).await.map_err(failed)?)?;
    }
    let mut migrator = Migrator::with_migrations(MIGRATOR.iter().cloned().collect());
    migrator.set_ignore_missing(true);
    // `run` does the same, but rustc cannot prove that its future is `Send`.
    let done = migrator.run_direct(None, writer, false).await;
    done.map_err(|error| OpenError::of_migration(&error, sqlx::Error::to_string))
}

pub(super) async fn require_migrated(writer: &mut SqliteConnection) -> Result<(), OpenError> {
    let applied = applied(writer).await;
    let applied = applied.map_err(|error| OpenError::NotMigrated { what: error.to_string() })?;
    Ok(check_schema(&MIGRATOR, &applied)?)
}

async fn applied(connection: &mut SqliteConnection) -> Result<Vec<AppliedMigration>, sqlx::Error> {
    sqlx::query_as(READ_MIGRATIONS).fetch_all(connection).await
}

fn unreachable(error: &sqlx::Error) -> OpenError {
    OpenError::Unreachable(failure::of_read(error))
}
