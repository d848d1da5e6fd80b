//! `matchbook sign`: has the service sign the newest event, as a receipt.

use clap::Args;
use wire::v1::SignHeadRequest;

use crate::arguments::SeatName;
use crate::arguments::match_id;
use crate::failure::Failure;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook sign MATCH > head.txt              right after your move
  matchbook verify match.jsonl --receipt head.txt --key KEY

The note proves to anybody who knows the service's key that this was the log up to
its newest event.";

/// Arguments of `matchbook sign`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Sign {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Minimum seq of the newest event; refused if the match has not reached it
    #[arg(long, value_name = "SEQ")]
    min: Option<u32>,
    /// Seat to view as, with its stored token
    #[arg(long)]
    seat: Option<SeatName>,
}

impl Sign {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.viewer_client(&self.match_id, self.seat.as_ref()).await?;
        let request = SignHeadRequest { match_id: self.match_id, min_seq: self.min };
        let answer = client.sign_head(request).await?;
        session.output.json("SignHeadResponse", &answer)?;
        session.output.text(&board::printable_page(&answer.head.unwrap_or_default().note))
    }
}
