//! The flags of `check-rules`.

use clap::Args;
use play::Selection;
use prost_types::Timestamp;
use uuid::Uuid;

use super::{ConfigArgument, DatabaseArgument, LogArguments, StatementsArgument};

pub(super) const AFTER_HELP: &str = "\
Replays every stored match by the rules of this build, from its first event on: run it with the new matchbookd before an
upgrade, while the old one serves. It only reads (tables of an older version too), takes no lock and opens no lane.

For each match that differs it names the match, the first event that differs (its seq and kind), what showed it, and why;
at the end the rules versions that stored matches need. With --json one object a line: {\"difference\": ...}, then one
{\"summary\": ...}.

Examples:
  matchbookd check-rules --database postgres://me@db/matchbook
  matchbookd check-rules --game ludus-magus --since 2026-05-01 --json
  matchbookd check-rules --match 01980d1e-7c3a-7bb0-8d7e-0242ac120002

Exit codes:
  0  every match replays
  2  the command line or the environment is wrong
  4  the database can't be opened or read
  9  a match differs";

/// The flags of `check-rules`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CheckRulesArguments {
    #[command(flatten)]
    config: ConfigArgument,

    #[command(flatten)]
    pub(crate) database: DatabaseArgument,

    #[command(flatten)]
    pub(super) statements: StatementsFlag,

    /// Only matches of this game, by its id
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// Only this match
    #[arg(long = "match", value_name = "ID", conflicts_with_all = ["game", "since"])]
    match_id: Option<Uuid>,

    /// Only matches created at this time or later, such as 2026-05-01 or 2026-05-01T12:00:00Z
    #[arg(long, value_name = "TIME", value_parser = micros)]
    since: Option<i64>,

    /// As JSON, one object a line, for programs
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) log: LogArguments,
}

/// How Postgres is spoken to; shared with `serve`.
#[derive(Args)]
pub(super) struct StatementsFlag {
    /// How statements are sent to Postgres: unnamed for a transaction pooler in between, such as PgBouncer
    #[arg(long, env = "MATCHBOOK_STATEMENTS", value_name = "HOW", value_enum, default_value = "prepared")]
    pub(super) statements: StatementsArgument,
}

impl CheckRulesArguments {
    /// Which matches are meant.
    pub(crate) fn selection(&self) -> Selection {
        Selection { match_id: self.match_id, game: self.game.clone(), since: self.since }
    }

    /// The database that is meant.
    pub(crate) fn database(&self) -> Result<server::Database, String> {
        Ok(self.database.read()?.statements(self.statements.read()))
    }
}

fn micros(text: &str) -> Result<i64, String> {
    let wrong = || "a time is written 2026-05-01T12:00:00Z or 2026-05-01".to_owned();
    let time: Timestamp = text.parse().map_err(|_| wrong())?;
    let micros = time.seconds.checked_mul(1_000_000);
    micros.and_then(|micros| micros.checked_add(i64::from(time.nanos) / 1_000)).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_to_the_microsecond() {
        assert_eq!(micros("1970-01-01T00:00:01.000002Z"), Ok(1_000_002));
        assert_eq!(micros("2026-05-01"), micros("2026-05-01T00:00:00Z"));
        assert_eq!(micros("2026-05-01T02:00:00+02:00"), micros("2026-05-01T00:00:00Z"));
        for bad in ["", "yesterday", "2026-13-01", "12:00"] {
            assert!(micros(bad).is_err(), "{bad}");
        }
    }
}
