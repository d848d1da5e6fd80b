//! `matchbookd migrate`: creates or upgrades the schema, divides a new database into shards, and grants a
//! role the rights to serve.

use server::telemetry::TracePipeline;

use super::{init_log, print};
use crate::arguments::MigrateArguments;
use crate::exit_status::CommandFailure;

/// Migrates the database, with a number of shards if one is given, then grants the role if one is named.
pub(crate) async fn migrate(arguments: MigrateArguments) -> Result<(), CommandFailure> {
    init_log(&arguments.log, &TracePipeline::default())?;
    let database = arguments.database.read()?;
    let (shards, grant_to) = (arguments.shards, arguments.grant_to.as_deref());
    let migrated = server::migrate(&database, shards, grant_to).await;
    migrated.map_err(|error| CommandFailure::database(&error))?;
    print(&format!("schema is up to date: {database}\n"))?;
    if let Some(role) = grant_to {
        print(&format!("role {role} may serve the database with --migrations require\n"))?;
    }
    Ok(())
}
