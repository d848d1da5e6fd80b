//! The arguments of `migrate`.

use clap::Args;
use server::Shards;

use super::config_file::ConfigArgument;
use super::database::DatabaseArgument;
use super::log::LogArguments;

const AFTER_HELP: &str = "\
Examples:
  matchbookd migrate --database postgres://owner@db/matchbook
  matchbookd migrate --database postgres://owner@db/matchbook --grant-to matchbook
  matchbookd migrate --database postgres://owner@db/matchbook --shards 4";

/// The arguments of `migrate`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct MigrateArguments {
    #[command(flatten)]
    config: ConfigArgument,

    #[command(flatten)]
    pub(crate) database: DatabaseArgument,

    /// Number of shards, 1 to 1024, of a new Postgres database; each replica then has two writers for each
    /// shard. The database records it, 1 unless given, and never changes it: another number is refused once
    /// the database was served
    #[arg(long, value_name = "N", value_parser = parse_shards)]
    pub(crate) shards: Option<Shards>,

    /// Postgres role that is to serve with --migrations require: grants it the right to read the log and to
    /// append to it, nothing else
    #[arg(long, value_name = "ROLE")]
    pub(crate) grant_to: Option<String>,

    #[command(flatten)]
    pub(crate) log: LogArguments,
}

fn parse_shards(text: &str) -> Result<Shards, String> {
    let shards = text.parse().ok().and_then(Shards::new);
    shards.ok_or_else(|| format!("must be a number from 1 to {}", Shards::MAX))
}
