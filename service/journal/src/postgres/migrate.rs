//! Bringing Postgres' tables up to date while programs serve from them: one migration at a time, by one program at a
//! time, and without making others wait for long.

use std::time::Duration;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection};

use super::connect::{quiet, unreachable};
use super::failure;
use crate::schema::{self, Applied};
use crate::{OpenError, SchemaError};

pub(crate) static MIGRATOR: Migrator = sqlx::migrate!("../../migrations/postgres");

/// The role in it is a placeholder.
const GRANTS: &str = include_str!("../../../../migrations/postgres/grants.sql");
const READ_MIGRATIONS: &str = include_str!("../../sql/postgres/read_migrations.sql");
const HAS_MIGRATIONS: &str = include_str!("../../sql/postgres/has_migrations.sql");
const LOCK_MIGRATIONS: &str = include_str!("../../sql/postgres/lock_migrations.sql");
const PREPARE_MIGRATION: &str = include_str!("../../sql/postgres/prepare_migration.sql");

/// A change of a table waits so long for its turn; then those behind it get theirs.
const LOCK_TIMEOUT: &str = "2s";

/// And comes back so often, after a pause.
const ATTEMPTS: u32 = 30;

const PAUSE: Duration = Duration::from_secs(1);

/// While another program migrates, this one looks so often whether it is done.
const LOOK: Duration = Duration::from_millis(100);

/// Brings the schema up to date.
pub(crate) async fn migrate(options: &PgConnectOptions) -> Result<(), OpenError> {
    let mut connection = quiet(options.clone()).connect().await.map_err(|error| unreachable(&error))?;
    // The lock goes with the connection, whatever happens.
    let done = run(&mut connection).await;
    drop(connection.close().await);
    done
}

/// Gives a role what `grants.sql` gives.
pub(crate) async fn grant(options: &PgConnectOptions, role: &str) -> Result<(), OpenError> {
    let mut connection = quiet(options.clone()).connect().await.map_err(|error| unreachable(&error))?;
    // A name in quotes is any text.
    let name = format!("\"{}\"", role.replace('"', "\"\""));
    let statements = GRANTS.replace("matchbook_service", &name);
    let done = sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut connection).await;
    drop(connection.close().await);
    done.map(drop).map_err(|error| OpenError::Grant { what: failure::text(&error) })
}

/// Refuses a database whose schema this program can't work with.
pub(super) async fn require_migrated(options: &PgConnectOptions) -> Result<(), OpenError> {
    Ok(schema::judge(&MIGRATOR, &applied_at(options).await?)?)
}

/// Refuses a database that this program can't read.
pub(super) async fn require_readable(options: &PgConnectOptions) -> Result<(), OpenError> {
    Ok(schema::judge_for_reading(&MIGRATOR, &applied_at(options).await?)?)
}

async fn applied_at(options: &PgConnectOptions) -> Result<Vec<Applied>, OpenError> {
    let mut connection = options.connect().await.map_err(|error| unreachable(&error))?;
    let applied = applied(&mut connection).await;
    drop(connection.close().await);
    applied.map_err(|error| OpenError::NotMigrated { what: failure::text(&error) })
}

async fn run(connection: &mut PgConnection) -> Result<(), OpenError> {
    let failed = |error: sqlx::Error| OpenError::Migration { what: failure::text(&error) };
    while !sqlx::query_scalar::<_, bool>(LOCK_MIGRATIONS).fetch_one(&mut *connection).await.map_err(failed)? {
        tokio::time::sleep(LOOK).await;
    }
    if sqlx::query_scalar::<_, bool>(HAS_MIGRATIONS).fetch_one(&mut *connection).await.map_err(failed)? {
        let applied = applied(connection).await.map_err(failed)?;
        match schema::judge(&MIGRATOR, &applied) {
            // Nothing to write, so that a role which may not is not asked to.
            Ok(()) => return Ok(()),
            Err(SchemaError::Behind { .. }) => schema::judge_newer(&MIGRATOR, &applied)?,
            Err(refused) => return Err(refused.into()),
        }
    }
    let mut migrator = Migrator::with_migrations(MIGRATOR.iter().cloned().collect());
    migrator.set_locking(false).set_ignore_missing(true);
    for migration in MIGRATOR.iter() {
        // Outside a transaction only that runs which makes nobody wait, and waits for others itself.
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
        match migrator.run_to(version, &mut *connection).await {
            Err(error) if attempt < ATTEMPTS && was_kept_waiting(&error) => {
                tracing::info!(version, attempt, "a migration waits for its turn at a table that is in use");
                tokio::time::sleep(PAUSE).await;
                attempt += 1;
            }
            done => return done.map_err(|error| OpenError::of_migration(&error, failure::text)),
        }
    }
}

/// Whether it was rolled back because somebody else had locked a table for longer.
fn was_kept_waiting(error: &MigrateError) -> bool {
    let (MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) = error else {
        return false;
    };
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.is_some_and(|code| code == "55P03")
}

pub(super) async fn applied(connection: &mut PgConnection) -> Result<Vec<Applied>, sqlx::Error> {
    sqlx::query_as(READ_MIGRATIONS).persistent(false).fetch_all(connection).await
}
