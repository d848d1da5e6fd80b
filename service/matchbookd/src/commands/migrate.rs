//! `matchbookd migrate`: creates or upgrades the schema, and grants a role the rights to serve.

use server::telemetry::TracePipeline;

use super::init_log;
use crate::arguments::MigrateArguments;
use crate::exit_status::Failure;

/// Migrates the database, then grants the role if one is named.
pub(crate) async fn migrate(arguments: MigrateArguments) -> Result<(), Failure> {
    init_log(&arguments.log, &TracePipeline::default())?;
    let database = arguments.database.read().map_err(|text| Failure::usage(&text))?;
    server::migrate(&database).await.map_err(|error| Failure::database(&error))?;
    println!("schema is up to date: {database}");
    if let Some(role) = &arguments.grant_to {
        server::grant(&database, role).await.map_err(|error| Failure::database(&error))?;
        println!("role {role} may serve the database with --migrations require");
    }
    Ok(())
}
