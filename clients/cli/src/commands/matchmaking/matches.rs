//! `matchbook matches`: lists matches, page by page.

use clap::Args;
use wire::v1::BatchGetMatchesRequest;

use crate::arguments::{FilterArguments, match_id};
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
  matchbook matches --label tenant=acme --label round=2 --status over
  matchbook matches --external-id order-17
  matchbook matches --player-id user-17 --my-turn
  matchbook matches --to-act 0         your matches in which seat 0 is to act
  matchbook matches MATCH MATCH        these two

Labels, external ids, player ids and turns are looked up among your own matches,
so these options imply --mine.

Times are UTC, or durations before now (30m, 2h, 7d). With --json each line is a
response of the service with one page of matches.";

/// What says which matches to find.
const OPTIONS: [&str; 14] = [
    "game",
    "status",
    "player",
    "since",
    "before",
    "mine",
    "labels",
    "external_id",
    "player_id",
    "my_turn",
    "to_act",
    "limit",
    "all",
    "page",
];

/// Arguments of `matchbook matches`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Matches {
    /// Ids of up to 100 matches to list instead
    #[arg(value_name = "MATCH", value_parser = match_id, conflicts_with_all = OPTIONS)]
    match_ids: Vec<String>,
    #[command(flatten)]
    filter: FilterArguments,
    /// Maximum number of matches to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// List all matches, without a limit
    #[arg(long, conflicts_with = "limit")]
    all: bool,
    /// Page token printed at the end of an earlier list, to continue it
    #[arg(long, value_name = "PAGE")]
    page: Option<String>,
}

impl Matches {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.app_client()?;
        if !self.match_ids.is_empty() {
            let request = BatchGetMatchesRequest { match_ids: self.match_ids };
            let found = client.batch_get_matches(request).await?;
            session.output.json("BatchGetMatchesResponse", &found)?;
            return session.output.text(&match_table(&found.matches));
        }
        let mut left = if self.all { u32::MAX } else { self.limit };
        let mut request = self.filter.request()?;
        request.page_token = self.page.clone().unwrap_or_default();
        let mut found_some = false;
        loop {
            request.page_size = left.min(PAGE_SIZE);
            let page = client.list_matches(request.clone()).await?;
            session.output.json("ListMatchesResponse", &page)?;
            session.output.text(&match (found_some, page.matches.is_empty()) {
                (_, true) => String::new(),
                (false, false) => match_table(&page.matches),
                (true, false) => match_rows(&page.matches),
            })?;
            found_some |= !page.matches.is_empty();
            left = left.saturating_sub(u32::try_from(page.matches.len()).unwrap_or(u32::MAX));
            if page.next_page_token.is_empty() {
                let nothing = if found_some { "" } else { "No matches found.\n" };
                return session.output.text(nothing);
            }
            // A page may have no match and lead to others; one that leads to itself makes no progress.
            let stuck = request.page_token == page.next_page_token;
            request.page_token = page.next_page_token;
            if left == 0 || stuck {
                let more = board::printable(&request.page_token);
                return session.output.text(&format!("There are more; continue with --page {more}\n"));
            }
        }
    }
}
