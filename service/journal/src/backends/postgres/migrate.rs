//! Migrating Postgres while programs serve: one migration at a time, by one program at a time, without
//! blocking others for long.

use std::sync::LazyLock;
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection};

use super::sharding::{read_shards, set_shards};
use super::statements::MatchQueries;
use super::{configure, failure};
use crate::sql::{MigrationFile, migrator};
use crate::store::{AppliedMigration, check_newer_migrations, check_schema, check_schema_for_reading};
use crate::{OpenError, SchemaError, Shards};

const MIGRATIONS: &[MigrationFile] = include!(concat!(env!("OUT_DIR"), "/postgres_migrations.rs"));

pub(crate) static MIGRATOR: LazyLock<Migrator> = LazyLock::new(|| migrator(MIGRATIONS));

/// Contains a placeholder for the role.
const GRANTS: &str = include_str!("../../../../../migrations/postgres/grants.sql");
const READ_MIGRATIONS: &str = include_str!("sql/read_migrations.sql");
const READ_COLUMNS: &str = include_str!("sql/read_columns.sql");
const HAS_MIGRATIONS: &str = include_str!("sql/has_migrations.sql");
const LOCK_MIGRATIONS: &str = include_str!("sql/lock_migrations.sql");
const PREPARE_MIGRATION: &str = include_str!("sql/prepare_migration.sql");

/// How long a migration waits for a table lock, before statements that queue behind it may run.
const LOCK_TIMEOUT: &str = "2s";

/// How often it retries.
const ATTEMPTS: u32 = 30;

/// Pause before a retry.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// Interval between attempts to take the migration lock while another program holds it.
const LOCK_POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Migrates the schema, and gives the database a number of shards.
pub(crate) async fn migrate(options: &PgConnectOptions, shards: Option<Shards>) -> Result<(), OpenError> {
    let mut connection =
        configure(options.clone()).connect().await.map_err(|error| failure::of_connect(&error))?;
    // Closing the connection releases the lock in any case.
    let done = run(&mut connection, shards).await;
    drop(connection.close().await);
    done
}

/// Grants a role the rights in `grants.sql`.
pub(crate) async fn grant(options: &PgConnectOptions, role: &str) -> Result<(), OpenError> {
    let mut connection =
        configure(options.clone()).connect().await.map_err(|error| failure::of_connect(&error))?;
    // Quote the name, which may be any text.
    let name = format!("\"{}\"", role.replace('"', "\"\""));
    let statements = GRANTS.replace("matchbook_service", &name);
    let done = sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut connection).await;
    drop(connection.close().await);
    done.map(drop).map_err(|error| OpenError::Grant { what: failure::text(&error) })
}

/// Fails unless the schema is this program's. Returns the number of shards.
pub(super) async fn require_migrated(options: &PgConnectOptions) -> Result<Shards, OpenError> {
    let mut connection = options.connect().await.map_err(|error| failure::of_connect(&error))?;
    let applied = applied(&mut connection).await;
    let shards = read_shards(&mut connection).await;
    drop(connection.close().await);
    check_schema(&MIGRATOR, &applied.map_err(|error| not_migrated(&error))?)?;
    shards
}

/// Fails unless this program can read the schema. Returns the number of shards, and the queries that fit the
/// tables it finds.
pub(super) async fn require_readable(
    options: &PgConnectOptions,
) -> Result<(Shards, MatchQueries), OpenError> {
    let mut connection = options.connect().await.map_err(|error| failure::of_connect(&error))?;
    let applied = applied(&mut connection).await;
    let shards = read_shards(&mut connection).await;
    let columns = columns_of_tables(&mut connection).await;
    drop(connection.close().await);
    check_schema_for_reading(&MIGRATOR, &applied.map_err(|error| not_migrated(&error))?)?;
    let (shards, (matches, seats)) = (shards?, columns.map_err(|error| not_migrated(&error))?);
    Ok((shards, MatchQueries::of_tables(shards, &matches, &seats)))
}

/// Returns the columns of the tables of matches and of seats.
async fn columns_of_tables(connection: &mut PgConnection) -> Result<(Vec<String>, Vec<String>), sqlx::Error> {
    let matches = columns(connection, "match").await?;
    Ok((matches, columns(connection, "match_seat").await?))
}

/// Returns the columns of a table.
async fn columns(connection: &mut PgConnection, table: &str) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar(READ_COLUMNS).bind(table).persistent(false).fetch_all(connection).await
}

fn not_migrated(error: &sqlx::Error) -> OpenError {
    OpenError::NotMigrated { what: failure::text(error) }
}

async fn run(connection: &mut PgConnection, shards: Option<Shards>) -> Result<(), OpenError> {
    let failed = |error: sqlx::Error| OpenError::Migration { what: failure::text(&error) };
    while !sqlx::query_scalar::<_, bool>(LOCK_MIGRATIONS).fetch_one(&mut *connection).await.map_err(failed)? {
        tokio::time::sleep(LOCK_POLL_INTERVAL).await;
    }
    run_migrations(connection).await?;
    match shards {
        Some(shards) => set_shards(connection, shards).await,
        None => Ok(()),
    }
}

async fn run_migrations(connection: &mut PgConnection) -> Result<(), OpenError> {
    let failed = |error: sqlx::Error| OpenError::Migration { what: failure::text(&error) };
    if sqlx::query_scalar::<_, bool>(HAS_MIGRATIONS).fetch_one(&mut *connection).await.map_err(failed)? {
        let applied = applied(connection).await.map_err(failed)?;
        match check_schema(&MIGRATOR, &applied) {
            // Write nothing: the role may lack the right.
            Ok(()) => return Ok(()),
            Err(SchemaError::Behind { .. }) => check_newer_migrations(&MIGRATOR, &applied)?,
            Err(error) => return Err(error.into()),
        }
    }
    let mut migrator = Migrator::with_migrations(MIGRATOR.iter().cloned().collect());
    migrator.set_locking(false).set_ignore_missing(true);
    for migration in MIGRATOR.iter() {
        // A migration outside a transaction, such as a concurrent index, blocks nobody and may wait.
        let timeout = if migration.no_tx { "0" } else { LOCK_TIMEOUT };
        let prepare = sqlx::query(PREPARE_MIGRATION).bind(timeout);
        prepare.execute(&mut *connection).await.map_err(failed)?;
        apply(&migrator, migration.version, connection).await?;
    }
    Ok(())
}

async fn apply(migrator: &Migrator, version: i64, connection: &mut PgConnection) -> Result<(), OpenError> {
    let mut attempt = 1;
    loop {
        // `run_to` does the same, but rustc cannot prove that its future is `Send`.
        match migrator.run_direct(Some(version), connection, false).await {
            Err(error) if attempt < ATTEMPTS && was_blocked(&error) => {
                tracing::info!(version, attempt, "a migration waits for a table in use; retrying");
                tokio::time::sleep(RETRY_PAUSE).await;
                attempt += 1;
            }
            done => return done.map_err(|error| OpenError::of_migration(&error, failure::text)),
        }
    }
}

/// Returns whether a migration was rolled back because it could not lock a table in time.
fn was_blocked(error: &MigrateError) -> bool {
    let (MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) = error else {
        return false;
    };
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.is_some_and(|code| code == "55P03")
}

pub(super) async fn applied(connection: &mut PgConnection) -> Result<Vec<AppliedMigration>, sqlx::Error> {
    sqlx::query_as(READ_MIGRATIONS).persistent(false).fetch_all(connection).await
}
