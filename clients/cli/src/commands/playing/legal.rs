//! `matchbook legal`: lists the legal moves.

use board::printable;
use clap::Args;
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
  matchbook legal MATCH --limit 10000 --json";

/// Arguments of `matchbook legal`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Legal {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Seat to act for, if tokens of both are stored
    #[arg(long)]
    seat: Option<SeatName>,
    /// Maximum number of moves to list, 1 to 10000; default: 1000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: Option<u32>,
}

impl Legal {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.seat_client(&self.match_id, self.seat.as_ref()).await?;
        let limit = self.limit.unwrap_or_default();
        let request = ListLegalMovesRequest { match_id: self.match_id, seat: None, limit, min_seq: None };
        let answer = client.list_legal_moves(request).await?;
        session.output.json("ListLegalMovesResponse", &answer)?;
        session.output.text(&listing(&answer))
    }
}

fn listing(answer: &ListLegalMovesResponse) -> String {
    if answer.moves.is_empty() && answer.complete {
        return format!("No legal moves at position {}: it is not this seat's turn.\n", answer.seq);
    }
    let notations: Vec<String> = answer.moves.iter().map(|legal| printable(&legal.notation)).collect();
    let mut text = match answer.total {
        Some(total) => format!("{total} legal moves at position {}:\n", answer.seq),
        None => format!("Legal moves at position {}:\n", answer.seq),
    };
    text.push_str(&columns(&notations));
    if !answer.complete && answer.unlisted_families.is_empty() {
        text.push_str(&format!(
            "Only the first {} are listed; raise --limit for more.\n",
            answer.moves.len()
        ));
    }
    for family in &answer.unlisted_families {
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
