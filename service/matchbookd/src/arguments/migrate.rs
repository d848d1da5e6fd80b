//! The arguments of `migrate`.

use clap::Args;

use super::config_file::ConfigArgument;
use super::database::DatabaseArgument;
use super::log::LogArguments;

const AFTER_HELP: &str = "\
Examples:
  matchbookd migrate --database postgres://owner@db/matchbook
  matchbookd migrate --database postgres://owner@db/matchbook --grant-to matchbook";

/// The arguments of `migrate`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct MigrateArguments {
    #[command(flatten)]
    config: ConfigArgument,

    #[command(flatten)]
    pub(crate) database: DatabaseArgument,

    /// Postgres role that is to serve with --migrations require: grants it the right to read the log and to
    /// append to it, nothing else
    #[arg(long, value_name = "ROLE")]
    pub(crate) grant_to: Option<String>,

    #[command(flatten)]
    pub(crate) log: LogArguments,
}
