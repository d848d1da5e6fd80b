//! The arguments of `check-rules`.

use std::path::PathBuf;

use clap::Args;
use play::{MatchId, RecordTime, Selection, Signing};
use prost_types::Timestamp;
use server::{ArchiveSettings, Database};

use super::archive::ArchiveReadArguments;
use super::config_file::ConfigArgument;
use super::database::{DatabaseArgument, StatementsArgument};
use super::invalid_setting::InvalidSetting;
use super::key::KeyFileArgument;
use super::log::LogArguments;
use super::signing::SigningArguments;

const AFTER_HELP: &str = "\
Replays every stored match from its first event with the rules of this build. Run
it with the new matchbookd before an upgrade, while the old one serves: it only
reads (older schema versions too), takes no lock and opens no writer.

For each match that differs, it prints the match, the seq and kind of the first
event that differs, the failed check and the reason; at the end, the rules versions
that stored matches use. With --json, it prints one object per line:
{\"difference\": ...} for each match that differs, then {\"summary\": ...}.

Matches in the archive are replayed if --archive names it; otherwise it counts
them.

Examples:
  matchbookd check-rules --database postgres://me@db/matchbook
  matchbookd check-rules --game ludus-magus --since 2026-05-01 --json
  matchbookd check-rules --match 01980d1e-7c3a-7bb0-8d7e-0242ac120002

Exit codes:
  0  every match replays
  1  the database has no match with the id in --match
  2  invalid command line, environment or configuration file; unknown game
  4  cannot open or read the database
  9  a match differs";

/// The arguments of `check-rules`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CheckRulesArguments {
    #[command(flatten)]
    config: ConfigArgument,

    #[command(flatten)]
    database: DatabaseArgument,

    #[command(flatten)]
    statements: StatementsArgument,

    #[command(flatten)]
    archive: ArchiveReadArguments,

    #[command(flatten)]
    key_file: KeyFileArgument,

    #[command(flatten)]
    signing: SigningArguments,

    /// Id of the game whose matches to check; default: all games
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// Id of a single match to check
    #[arg(
        long = "match",
        value_name = "ID",
        value_parser = parse_match_id,
        conflicts_with_all = ["game", "since"]
    )]
    match_id: Option<MatchId>,

    /// Earliest creation time of the matches to check, such as 2026-05-01 or 2026-05-01T12:00:00Z
    #[arg(long, value_name = "TIME", value_parser = parse_micros)]
    since: Option<i64>,

    /// Print JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) log: LogArguments,
}

impl CheckRulesArguments {
    /// Returns which matches to check.
    pub(crate) fn selection(&self) -> Selection {
        Selection { match_id: self.match_id, game: self.game.clone(), since: self.since.map(RecordTime) }
    }

    /// Returns the archive to read, with the key file and the names to read it with; `None` without one.
    pub(crate) fn archive(
        self,
    ) -> Result<Option<(ArchiveSettings, Option<PathBuf>, Signing)>, InvalidSetting> {
        let Some(archive) = self.archive.read() else { return Ok(None) };
        Ok(Some((archive, self.key_file.key_file, self.signing.read()?)))
    }

    /// Parses the database's URL.
    pub(crate) fn database(&self) -> Result<Database, InvalidSetting> {
        Ok(self.database.read()?.statements(self.statements.read()))
    }
}

/// Parses a match's id.
fn parse_match_id(text: &str) -> Result<MatchId, &'static str> {
    let id =
        text.parse().map_err(|_| "a match's id is a UUID such as 01980d1e-7c3a-7bb0-8d7e-0242ac120002")?;
    Ok(MatchId(id))
}

/// Parses a time into microseconds since the Unix epoch.
fn parse_micros(text: &str) -> Result<i64, String> {
    let error = || "not a time; write it as 2026-05-01T12:00:00Z or 2026-05-01".to_owned();
    let time: Timestamp = text.parse().map_err(|_| error())?;
    let micros = time.seconds.checked_mul(1_000_000);
    micros.and_then(|micros| micros.checked_add(i64::from(time.nanos) / 1_000)).ok_or_else(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_parsed_to_the_microsecond() {
        assert_eq!(parse_micros("1970-01-01T00:00:01.000002Z"), Ok(1_000_002));
        assert_eq!(parse_micros("2026-05-01"), parse_micros("2026-05-01T00:00:00Z"));
        assert_eq!(parse_micros("2026-05-01T02:00:00+02:00"), parse_micros("2026-05-01T00:00:00Z"));
        for bad in ["", "yesterday", "2026-13-01", "12:00"] {
            assert!(parse_micros(bad).is_err(), "{bad}");
        }
    }
}
