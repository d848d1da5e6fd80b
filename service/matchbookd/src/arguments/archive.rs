//! The arguments of `archive`, and those that name the archive to read.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use play::Games;
use server::{ArchiveSettings, ArchiveUrl, Archiving, duration_between};

use super::config_file::ConfigArgument;
use super::database::{DatabaseArgument, StatementsArgument};
use super::invalid_setting::InvalidSetting;
use super::key::KeyFileArgument;
use super::log::LogArguments;

const AFTER_HELP: &str = "\
Moves the logs of finished matches out of the database, into signed and encrypted
files of some 10 000 matches each. Each match is replayed first, each file is read
back and compared, and only then the database drops those events, in one
transaction. The directory keeps the matches with their players' names.

Serve with --archive URL from then on: without it, archived matches are refused as
MATCH_ARCHIVED. Keep the service key: without it, nobody can read the files.

Postgres may be served meanwhile; a SQLite file may not. An interrupted run is
started again with the same command. A match that does not replay with this build,
or whose events a webhook may still need, stays in the database. See
docs/archive.md.

Examples:
  matchbookd archive --older-than 90d --to file:///srv/matchbook --dry-run
  matchbookd archive --older-than 90d --to file:///srv/matchbook
  matchbookd archive --older-than 1y --to file:///srv/matchbook --json

Exit codes:
  0   every match that is old enough is archived, or waits for a webhook
  1   interrupted, or the report cannot be printed
  2   invalid command line, environment or configuration file
  4   cannot open or read the database, another archiver runs, or nothing was dropped
  5   invalid service key file, or not the key of this database
  9   a match does not replay with this build; it stays, and all others are archived
  11  cannot use the archive, or it returned something else than was written";

/// The arguments of `archive`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ArchiveArguments {
    #[command(flatten)]
    config: ConfigArgument,

    #[command(flatten)]
    database: DatabaseArgument,

    #[command(flatten)]
    statements: StatementsArgument,

    #[command(flatten)]
    key_file: KeyFileArgument,

    /// Age from which on matches are archived, counted from their end, such as 90d or 1y. Retries of calls on
    /// younger matches, and feed readers that are less behind, notice nothing
    #[arg(long, value_name = "DURATION", value_parser = duration_between("0s", "100years"))]
    older_than: Duration,

    /// Archive to write to: the URL of a folder that exists, such as file:///srv/matchbook
    #[arg(long, value_name = "URL")]
    to: ArchiveUrl,

    /// Print what would be done, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Print JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) log: LogArguments,
}

/// `--archive` and `--archive-key-files`.
#[derive(Args)]
#[command(next_help_heading = "Archive")]
pub(super) struct ArchiveReadArguments {
    /// Archive to read finished matches from that `matchbookd archive` has moved there, such as
    /// file:///srv/matchbook
    #[arg(long, env = "MATCHBOOK_ARCHIVE", value_name = "URL")]
    archive: Option<ArchiveUrl>,

    /// Service key files from before rotations, separated by commas: files of the archive that were written
    /// then need them
    #[arg(long, env = "MATCHBOOK_ARCHIVE_KEY_FILES", value_name = "PATHS", value_delimiter = ',')]
    archive_key_files: Vec<PathBuf>,
}

impl ArchiveReadArguments {
    /// Returns the archive to read, if one is named.
    pub(super) fn read(self) -> Option<ArchiveSettings> {
        Some(ArchiveSettings { url: self.archive?, old_key_files: self.archive_key_files })
    }
}

impl ArchiveArguments {
    /// Returns what to archive, and where.
    pub(crate) fn archiving(self) -> Result<Archiving, InvalidSetting> {
        Ok(Archiving {
            database: self.database.read()?.statements(self.statements.read()),
            key_file: self.key_file.key_file,
            to: self.to,
            older_than: self.older_than,
            games: Games::built_in(),
        })
    }
}
