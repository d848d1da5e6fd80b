//! The arguments of `migrate`.

use clap::Args;

use super::config_file::ConfigArgument;
use super::database::DatabaseArgument;
use super::log::LogArguments;

/// The arguments of `migrate`.
#[derive(Args)]
pub(crate) struct MigrateArguments {
    #[command(flatten)]
    config: ConfigArgument,

    #[command(flatten)]
    pub(crate) database: DatabaseArgument,

    /// Postgres role to grant the rights to serve with --migrations require: it can append to the log and
    /// read it, nothing else
    #[arg(long, value_name = "ROLE")]
    pub(crate) grant_to: Option<String>,

    #[command(flatten)]
    pub(crate) log: LogArguments,
}
