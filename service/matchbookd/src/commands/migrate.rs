//! `matchbookd migrate`: creates or upgrades the schema, and grants a role the rights to serve.

use server::telemetry::TracePipeline;

use super::{init_log, print};
use crate::arguments::MigrateArguments;
use crate::exit_status::CommandFailure;

/// Migrates the database, then grants the role if one is named.
pub(crate) async fn migrate(arguments: MigrateArguments) -> Result<(), CommandFailure> {
    init_log(&arguments.log, &TracePipeline::default())?;
    let database = arguments.database.read()?;
    let grant_to = arguments.grant_to.as_deref();
    server::migrate(&database, grant_to).await.map_err(|error| CommandFailure::database(&error))?;
    print(&format!("schema is up to date: {database}\n"))?;
    if let Some(role) = grant_to {
        print(&format!("role {role} may serve the database with --migrations require\n"))?;
    }
    Ok(())
}
