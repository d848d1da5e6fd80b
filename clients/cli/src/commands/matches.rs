//! `matchbook matches`: the directory, a page after the other.

use clap::{Args, ValueEnum};
use prost_types::Timestamp;
use wire::v1::{ListMatchesRequest, MatchStatus};

use crate::credentials::Session;
use crate::directory_table::{heading_and_rows, rows};
use crate::failure::Failure;
use crate::moment::moment;

/// The most matches that the service gives at once.
const PAGE: u32 = 200;

const AFTER_HELP: &str = "\
Examples:
  matchbook matches                    the newest public ones
  matchbook matches --game ludus-magus --status open
  matchbook matches --player Ann --since 7d
  matchbook matches --since 2026-01-31 --before 2026-02-01T12:00:00Z --all
  matchbook matches --mine             all that your API key has created
                                       (`matchbook login`)

Times are UTC, or how long ago (30m, 2h, 7d). With --json each line is one answer
of the service, with a page of matches.";

/// Arguments of `matchbook matches`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Matches {
    /// Only this game; `matchbook games` lists them.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Only matches that are so far.
    #[arg(long, value_enum)]
    status: Option<Status>,
    /// Only matches with a player of exactly this name.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Only matches created at this time or later.
    #[arg(long, value_name = "WHEN", value_parser = moment)]
    since: Option<Timestamp>,
    /// Only matches created before this time.
    #[arg(long, value_name = "WHEN", value_parser = moment)]
    before: Option<Timestamp>,
    /// Only matches that your API key has created, private ones too.
    #[arg(long)]
    mine: bool,
    /// At most this many.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// All of them.
    #[arg(long, conflicts_with = "limit")]
    all: bool,
    /// Go on where an earlier list stopped: what it printed at its end.
    #[arg(long, value_name = "PAGE")]
    page: Option<String>,
}

/// Where a match is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Status {
    /// Waits for players.
    Open,
    /// Is being played.
    Running,
    /// Has ended.
    Over,
}

impl Matches {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let service = session.keyed()?;
        let mut left = if self.all { u32::MAX } else { self.limit };
        let mut request = self.request();
        let mut is_first = true;
        loop {
            request.page_size = Some(left.min(PAGE));
            let page = service.list_matches(request.clone()).await?;
            session.output.json("ListMatchesResponse", &page)?;
            session.output.text(&match (is_first, page.matches.is_empty()) {
                (true, true) => "No such matches.\n".to_owned(),
                (true, false) => heading_and_rows(&page.matches),
                (false, _) => rows(&page.matches),
            })?;
            is_first = false;
            left = left.saturating_sub(u32::try_from(page.matches.len()).unwrap_or(u32::MAX));
            request.page_token = page.next_page_token;
            if request.page_token.is_empty() {
                return Ok(());
            }
            // A page without matches ends it too, whatever its token: no progress.
            if left == 0 || page.matches.is_empty() {
                let more = board::printable(&request.page_token);
                return session.output.text(&format!("There are more; the same with --page {more}\n"));
            }
        }
    }

    fn request(&self) -> ListMatchesRequest {
        let status = self.status.map(|status| match status {
            Status::Open => MatchStatus::Open,
            Status::Running => MatchStatus::Running,
            Status::Over => MatchStatus::Over,
        });
        ListMatchesRequest {
            game: self.game.clone(),
            status: status.map(Into::into),
            player: self.player.clone(),
            created_since: self.since,
            created_before: self.before,
            mine: self.mine,
            page_size: None,
            page_token: self.page.clone().unwrap_or_default(),
        }
    }
}
