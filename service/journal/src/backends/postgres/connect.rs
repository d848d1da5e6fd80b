//! Connecting to Postgres: the schema, the pool for reading, and the sessions of writers.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Executor, PgConnection};

use super::migrate::{migrate, require_migrated, require_readable};
use super::statements::{MatchQueries, WriterSql};
use super::write::PostgresWriter;
use super::{Postgres, configure, failure, standby};
use crate::ids::ReplicaId;
use crate::store::{StoreSettings, WriteError};
use crate::{Migrations, OpenError, Shard, Shards, Statements};

const PREPARE_WRITER: &str = include_str!("sql/prepare_writer.sql");
const PREPARE_READER: &str = include_str!("sql/prepare_reader.sql");
const READ_DURABILITY: &str = include_str!("sql/read_durability.sql");

/// Opens the database for serving. Connects at least once, so that a wrong URL fails here.
pub(crate) async fn open(
    settings: &StoreSettings,
    options: &PgConnectOptions,
    standby: Option<&PgConnectOptions>,
    replica: ReplicaId,
) -> Result<Postgres, OpenError> {
    let options = configure(options.clone());
    if settings.migrations == Migrations::Apply {
        migrate(&options, None).await?;
    }
    let shards = require_migrated(&options).await?;
    let primary = lazily(settings, options, replica, MatchQueries::new(shards), shards);
    let standby = match standby {
        None => None,
        Some(options) => Some(standby::prepare(&primary, options).await?),
    };
    Ok(Postgres { standby, ..primary })
}

/// Prepares to connect on demand.
fn lazily(
    settings: &StoreSettings,
    options: PgConnectOptions,
    replica: ReplicaId,
    matches: MatchQueries,
    shards: Shards,
) -> Postgres {
    Postgres {
        readers: readers(settings, options.clone()),
        options,
        standby: None,
        matches,
        replica,
        shards,
        statements: settings.statements,
        max_readers: settings.max_readers,
        read_timeout: settings.read_timeout,
        write_timeout: settings.write_timeout,
    }
}

/// Opens the database for reading. The server enforces it, except behind a pooler, which does not accept
/// settings.
pub(crate) async fn open_reader(
    settings: &StoreSettings,
    options: &PgConnectOptions,
) -> Result<Postgres, OpenError> {
    let options = configure(options.clone());
    let options = match settings.statements {
        Statements::Prepared => options.options([("default_transaction_read_only", "on")]),
        Statements::Unnamed => options,
    };
    let (shards, matches) = require_readable(&options).await?;
    Ok(lazily(settings, options, ReplicaId::generate(), matches, shards))
}

impl Postgres {
    /// Connects with a writer's settings, to write into this shard.
    pub(super) async fn connect_writer(&self, shard: Shard) -> Result<PostgresWriter, WriteError> {
        let to_error = |error: sqlx::Error| failure::of_write(&error);
        let mut connection = self.options.connect().await.map_err(to_error)?;
        // Less than the writer's own timeout, so that the server cancels a statement before the writer gives
        // it up.
        let timeout = self.write_timeout.as_millis() * 2 / 3;
        match self.statements {
            Statements::Prepared => {
                let prepare = sqlx::query(PREPARE_WRITER).bind(timeout.to_string());
                connection.execute(prepare).await.map_err(to_error)?;
            }
            // Behind a pooler, a setting would affect another client's connection.
            Statements::Unnamed => require_durable(&mut connection).await?,
        }
        let sql = WriterSql::new(self.shards, shard);
        Ok(PostgresWriter { connection, sql, statements: self.statements })
    }
}

/// Fails if acknowledged commits might not be on disk.
async fn require_durable(connection: &mut PgConnection) -> Result<(), WriteError> {
    let setting =
        sqlx::query_scalar::<_, String>(READ_DURABILITY).persistent(false).fetch_one(connection).await;
    match setting.map_err(|error| failure::of_write(&error))?.as_str() {
        "off" | "local" => {
            let what = "synchronous_commit is off behind the pooler; turn it on".to_owned();
            Err(WriteError::Refused { what })
        }
        _ => Ok(()),
    }
}

/// Creates the pool for reading.
fn readers(settings: &StoreSettings, options: PgConnectOptions) -> sqlx::PgPool {
    let statements = settings.statements;
    let timeout = settings.read_timeout.as_millis();
    PgPoolOptions::new()
        .max_connections(settings.max_readers)
        .acquire_timeout(settings.read_timeout.min(Duration::from_secs(5)))
        // A read detects a lost connection itself, and is retried on another.
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            Box::pin(async move {
                if statements == Statements::Prepared {
                    connection.execute(sqlx::query(PREPARE_READER).bind(timeout.to_string())).await?;
                }
                Ok(())
            })
        })
        .connect_lazy_with(options)
}
