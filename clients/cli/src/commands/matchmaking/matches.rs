//! `matchbook matches`: lists matches, page by page.

use clap::{Args, ValueEnum};
use prost_types::Timestamp;
use wire::v1::{ListMatchesRequest, MatchStatus};

use crate::arguments::timestamp;
use crate::failure::Failure;
use crate::output::{match_rows, match_table};
use crate::session::Session;

/// Maximum page size of the service.
const PAGE_SIZE: u32 = 200;

const AFTER_HELP: &str = "\
Examples:
  matchbook matches                    the newest public matches
  matchbook matches --game ludus-magus --status open
  matchbook matches --player Ann --since 7d
  matchbook matches --since 2026-01-31 --before 2026-02-01T12:00:00Z --all
  matchbook matches --mine             all matches created with your API key
                                       (`matchbook login`)

Times are UTC, or durations before now (30m, 2h, 7d). With --json each line is a
response of the service with one page of matches.";

/// Arguments of `matchbook matches`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Matches {
    /// List only matches of this game, see `matchbook games`
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// List only matches with this status
    #[arg(long, value_enum)]
    status: Option<Status>,
    /// List only matches with a player of exactly this name
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// List only matches created at this time or later
    #[arg(long, value_name = "WHEN", value_parser = timestamp)]
    since: Option<Timestamp>,
    /// List only matches created before this time
    #[arg(long, value_name = "WHEN", value_parser = timestamp)]
    before: Option<Timestamp>,
    /// List only matches created with your API key, including private ones
    #[arg(long)]
    mine: bool,
    /// Maximum number of matches to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// List all matches
    #[arg(long, conflicts_with = "limit")]
    all: bool,
    /// Page token printed at the end of an earlier list, to continue it
    #[arg(long, value_name = "PAGE")]
    page: Option<String>,
}

/// Status of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Status {
    /// Waiting for players
    Open,
    /// Being played
    Running,
    /// Finished
    Over,
}

impl Matches {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.app_client()?;
        let mut left = if self.all { u32::MAX } else { self.limit };
        let mut request = self.request();
        let mut is_first = true;
        loop {
            request.page_size = left.min(PAGE_SIZE);
            let page = client.list_matches(request.clone()).await?;
            session.output.json("ListMatchesResponse", &page)?;
            session.output.text(&match (is_first, page.matches.is_empty()) {
                (true, true) => "No matches found.\n".to_owned(),
                (true, false) => match_table(&page.matches),
                (false, _) => match_rows(&page.matches),
            })?;
            is_first = false;
            left = left.saturating_sub(u32::try_from(page.matches.len()).unwrap_or(u32::MAX));
            request.page_token = page.next_page_token;
            if request.page_token.is_empty() {
                return Ok(());
            }
            // A page without matches makes no progress, whatever its token.
            if left == 0 || page.matches.is_empty() {
                let more = board::printable(&request.page_token);
                return session.output.text(&format!("There are more; continue with --page {more}\n"));
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
            game_id: self.game.clone(),
            status: status.map(Into::into),
            player: self.player.clone(),
            created_since: self.since,
            created_before: self.before,
            mine: self.mine,
            page_size: 0,
            page_token: self.page.clone().unwrap_or_default(),
        }
    }
}
