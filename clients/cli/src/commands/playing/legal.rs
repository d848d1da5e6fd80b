//! `matchbook legal`: lists the legal moves.

use board::{counted, printable};
use clap::Args;
use matchbook_client::{Client, Error};
use wire::v1::{ListLegalMovesRequest, ListLegalMovesResponse};

use crate::arguments::SeatName;
use crate::arguments::match_id;
use crate::failure::Failure;
use crate::session::Session;

const WIDTH: usize = 78;

const AFTER_HELP: &str = "\
Examples:
  matchbook legal MATCH
  matchbook legal MATCH --seat demons
  matchbook legal MATCH --limit 10000 --json

Anybody may list the moves of a game without hidden information, with --seat.";

/// Arguments of `matchbook legal`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Legal {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Seat whose moves to list; default: the stored seat, or the one to move if both are stored
    #[arg(long)]
    seat: Option<SeatName>,
    /// Maximum number of moves to list
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

impl Legal {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let (client, seat) = self.caller(session).await?;
        let mut left = self.limit;
        let mut notations = Vec::new();
        let mut request =
            ListLegalMovesRequest { match_id: self.match_id.clone(), seat, ..Default::default() };
        loop {
            request.page_size = left;
            let page =
                client.list_legal_moves(request.clone()).await.map_err(|error| self.explained(error))?;
            session.output.json("ListLegalMovesResponse", &page)?;
            notations.extend(page.moves.iter().map(|legal| printable(&legal.notation)));
            left = left.saturating_sub(u32::try_from(page.moves.len()).unwrap_or(u32::MAX));
            // A page without moves makes no progress, whatever its token.
            if left == 0 || page.next_page_token.is_empty() || page.moves.is_empty() {
                return session.output.text(&listing(&notations, &page));
            }
            request.page_token = page.next_page_token;
        }
    }

    /// Names the option in place of the field that a spectator without one leaves out.
    fn explained(&self, error: Error) -> Failure {
        let refused =
            error.refusal().is_some_and(|refusal| refusal.fields.iter().any(|bad| bad.path == "seat"));
        if refused && self.seat.is_none() {
            return Failure::Usage("choose whose moves to list with --seat 0 or --seat 1".to_owned());
        }
        error.into()
    }

    /// Returns a client, and the seat to name in the call: one whose token is not known, as to a spectator.
    async fn caller(&self, session: &Session) -> Result<(Client, Option<u32>), Failure> {
        if let (Some(name), None) = (&self.seat, &session.given_token) {
            let seat = session.resolve_seat(&self.match_id, name).await?;
            if session.stored_tokens(&self.match_id)?.iter().all(|(stored, _)| *stored != seat) {
                return Ok((session.app_client()?, Some(seat)));
            }
        }
        Ok((session.mover_client(&self.match_id, self.seat.as_ref()).await?, None))
    }
}

/// Describes the listed moves and what the last page says of the list.
fn listing(notations: &[String], last: &ListLegalMovesResponse) -> String {
    if notations.is_empty() && last.unlisted_families.is_empty() {
        return format!("No legal moves at position {}: it is not this seat's turn.\n", last.seq);
    }
    let mut text = match last.total_size {
        Some(total) => format!("{} at position {}:\n", counted(total, "legal move", "legal moves"), last.seq),
        None => format!("Legal moves at position {}:\n", last.seq),
    };
    text.push_str(&columns(notations));
    if !last.next_page_token.is_empty() {
        text.push_str(&format!(
            "The list ends at its limit of {}; raise --limit for more.\n",
            notations.len()
        ));
    }
    for family in &last.unlisted_families {
        text.push_str(&format!("Not listed: {}.\n", printable(family)));
    }
    text
}

/// Arranges words in columns of equal width, row by row.
fn columns(words: &[String]) -> String {
    let width = words.iter().map(|word| word.chars().count()).max().unwrap_or(0) + 2;
    let per_row = (WIDTH / width).max(1);
    let mut text = String::new();
    for row in words.chunks(per_row) {
        let row: String = row.iter().map(|word| format!("  {word:<w$}", w = width - 2)).collect();
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_align_and_fit() {
        let words: Vec<String> = (1..=30).map(|n| format!("{n},{n}")).collect();
        let text = columns(&words);
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(text.starts_with("  1,1    2,2    3,3"), "{text}");
        assert_eq!(text.split_whitespace().count(), 30);
    }
}
