//! The number of a database's shards: read whenever it is opened, chosen before it is first served.

use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::failure;
use crate::{OpenError, Shards};

/// Contains a placeholder for the number.
const SHARDS: &str = include_str!("../../../../../migrations/postgres/shards.sql");
const READ_SHARDS: &str = include_str!("sql/read_shards.sql");
const LOCK_WRITERS: &str = include_str!("sql/lock_writers.sql");
const IS_UNSERVED: &str = include_str!("sql/is_unserved.sql");

/// Returns the number of shards. Fails if the tables' keys are not those of so many.
pub(super) async fn read_shards(connection: &mut PgConnection) -> Result<Shards, OpenError> {
    let row =
        sqlx::query_as::<_, (i16, Vec<String>)>(READ_SHARDS).persistent(false).fetch_optional(connection);
    let row = row.await.map(Some);
    let Some(row) = failure::unless_no_table(row).map_err(|error| failure::of_connect(&error))? else {
        // An older program's schema, which may be read.
        return Ok(Shards::ONE);
    };
    let (shards, other_keys) = row.ok_or(OpenError::UnknownShards)?;
    let shards = u16::try_from(shards).ok().and_then(Shards::new).ok_or(OpenError::UnknownShards)?;
    match other_keys.is_empty() {
        true => Ok(shards),
        false => Err(OpenError::ShardKeys { shards, tables: other_keys.join(", ") }),
    }
}

/// Gives a migrated database so many shards, unless it has them. Only one that was never served can get
/// another number.
pub(super) async fn set_shards(connection: &mut PgConnection, wanted: Shards) -> Result<(), OpenError> {
    let failed = |error: sqlx::Error| OpenError::Migration { what: failure::text(&error) };
    if read_shards(connection).await? == wanted {
        return Ok(());
    }
    let mut transaction = connection.begin().await.map_err(failed)?;
    sqlx::query(LOCK_WRITERS).execute(&mut *transaction).await.map_err(failed)?;
    let stored = read_shards(&mut transaction).await?;
    let is_unserved = sqlx::query_scalar::<_, bool>(IS_UNSERVED).fetch_one(&mut *transaction).await;
    if stored != Shards::ONE || !is_unserved.map_err(failed)? {
        return Err(OpenError::OtherShards { stored, wanted });
    }
    let statements = SHARDS.replace("{shards}", &wanted.count().to_string());
    sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut *transaction).await.map_err(failed)?;
    transaction.commit().await.map_err(failed)
}
