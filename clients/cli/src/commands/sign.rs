//! `matchbook sign`: the service's signature on the newest event, to keep as a receipt.

use clap::Args;
use wire::v1::SignHeadRequest;

use crate::commands::match_id;
use crate::credentials::Session;
use crate::failure::Failure;
use crate::seat_name::SeatName;

const AFTER_HELP: &str = "\
Examples:
  matchbook sign MATCH > head.txt              right after a move of yours
  matchbook verify match.jsonl --receipt head.txt --key KEY

The note proves to anybody who knows the service's key that this was the log up to there.";

/// Arguments of `matchbook sign`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Sign {
    /// The match's id.
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Only if the match has come at least this far.
    #[arg(long, value_name = "SEQ")]
    min: Option<u32>,
    /// Look as this seat, with its stored token.
    #[arg(long)]
    seat: Option<SeatName>,
}

impl Sign {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let service = session.looking(&self.match_id, self.seat.as_ref()).await?;
        let request = SignHeadRequest { match_id: self.match_id, min_seq: self.min };
        let answer = service.sign_head(request).await?;
        session.output.json("SignHeadResponse", &answer)?;
        session.output.text(&board::printable_page(&answer.head.unwrap_or_default().note))
    }
}
