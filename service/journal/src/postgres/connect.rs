//! Connecting to Postgres: migrations, the readers' pool, and the sessions of lanes.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Executor, PgConnection};

use super::migrate::{migrate, require_migrated, require_readable};
use super::write::PostgresLane;
use super::{Postgres, failure, standby};
use crate::ids::ReplicaId;
use crate::store::WriteError;
use crate::url::Database;
use crate::{JournalConfig, Migrations, OpenError, ReadError, Statements};

const PREPARE_LANE: &str = include_str!("../../sql/postgres/prepare_lane.sql");
const PREPARE_READER: &str = include_str!("../../sql/postgres/prepare_reader.sql");
const READ_DURABILITY: &str = include_str!("../../sql/postgres/read_durability.sql");

/// Opens the database; connects once at least, so that a wrong URL shows at the start.
pub(crate) async fn open(
    config: &JournalConfig,
    options: &PgConnectOptions,
    replica: ReplicaId,
) -> Result<Postgres, OpenError> {
    let options = quiet(options.clone());
    match config.migrations {
        Migrations::Apply => migrate(&options).await?,
        Migrations::Require => require_migrated(&options).await?,
    }
    let primary = over(config, options, replica);
    let standby = match config.read_url.as_ref().map(|url| &url.0) {
        None => None,
        Some(Database::Postgres(options)) => Some(standby::of(&primary, config, options).await?),
        Some(Database::Memory | Database::Sqlite(_)) => return Err(OpenError::NoStandby),
    };
    Ok(Postgres { standby, ..primary })
}

fn over(config: &JournalConfig, options: PgConnectOptions, replica: ReplicaId) -> Postgres {
    Postgres {
        readers: readers(config, options.clone()),
        options,
        standby: None,
        replica,
        statements: config.statements,
        reader_count: config.limits.readers,
        read_within: config.timing.read_within,
        write_within: config.timing.write_within,
    }
}

/// Opens the database for reading: the server itself refuses anything else, except behind a pooler, to which a setting
/// can't be given.
pub(crate) async fn open_reader(
    config: &JournalConfig,
    options: &PgConnectOptions,
) -> Result<Postgres, OpenError> {
    let options = quiet(options.clone());
    let options = match config.statements {
        Statements::Prepared => options.options([("default_transaction_read_only", "on")]),
        Statements::Unnamed => options,
    };
    require_readable(&options).await?;
    Ok(over(config, options, ReplicaId::mint()))
}

impl Postgres {
    /// A connection with the settings of a lane.
    pub(super) async fn connect_lane(&self) -> Result<PostgresLane, WriteError> {
        let to_error = |error: sqlx::Error| failure::of_write(&error);
        let mut connection = self.options.connect().await.map_err(to_error)?;
        // Ours ends it first, so that the server has let go of a statement that the lane gives up.
        let within = self.write_within.as_millis() * 2 / 3;
        match self.statements {
            Statements::Prepared => {
                let prepare = sqlx::query(PREPARE_LANE).bind(within.to_string());
                connection.execute(prepare).await.map_err(to_error)?;
            }
            // Behind a pooler a setting would go to somebody else's connection.
            Statements::Unnamed => require_durable(&mut connection).await?,
        }
        Ok(PostgresLane { connection, statements: self.statements })
    }
}

async fn require_durable(connection: &mut PgConnection) -> Result<(), WriteError> {
    let setting =
        sqlx::query_scalar::<_, String>(READ_DURABILITY).persistent(false).fetch_one(connection).await;
    match setting.map_err(|error| failure::of_write(&error))?.as_str() {
        "off" | "local" => {
            Err(WriteError::Refused { what: "synchronous_commit is off behind the pooler".into() })
        }
        _ => Ok(()),
    }
}

fn readers(config: &JournalConfig, options: PgConnectOptions) -> sqlx::PgPool {
    let statements = config.statements;
    let within = config.timing.read_within.as_millis();
    PgPoolOptions::new()
        .max_connections(config.limits.readers)
        .acquire_timeout(config.timing.read_within.min(Duration::from_secs(5)))
        // A lost connection shows in the read itself, which is then repeated on another.
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            Box::pin(async move {
                if statements == Statements::Prepared {
                    connection.execute(sqlx::query(PREPARE_READER).bind(within.to_string())).await?;
                }
                Ok(())
            })
        })
        .connect_lazy_with(options)
}

/// Statements are not for the log, nor is how long they take.
pub(super) fn quiet(options: PgConnectOptions) -> PgConnectOptions {
    options.application_name("matchbookd").disable_statement_logging()
}

pub(super) fn unreachable(error: &sqlx::Error) -> OpenError {
    let what = failure::text(error);
    match error {
        sqlx::Error::Tls(_) => OpenError::Untrusted { what },
        // What a certificate that can't be trusted comes as.
        sqlx::Error::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => {
            OpenError::Untrusted { what }
        }
        _ => OpenError::Unreachable(ReadError::Unavailable { what }),
    }
}
