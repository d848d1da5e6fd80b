//! `matchbook check`: checks whether a move is legal.

use board::printable;
use clap::Args;
use wire::v1::CheckMoveRequest;
use wire::v1::check_move_request::Input;

use crate::arguments::SeatName;
use crate::arguments::match_id;
use crate::failure::{Exit, Failure};
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook check MATCH 3,5
  matchbook check MATCH 3,4 || echo 'not legal'

Exits with 0 if the move is legal, with 1 if it is not. Changes nothing.";

/// Arguments of `matchbook check`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Check {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Move in the game's notation
    notation: String,
    /// Position that the move is meant for; at any other the check is refused as stale
    #[arg(long, value_name = "SEQ")]
    expect: Option<u32>,
    /// Seat to act for, if tokens of both are stored
    #[arg(long)]
    seat: Option<SeatName>,
}

impl Check {
    pub(crate) async fn run(self, session: &Session) -> Result<Exit, Failure> {
        let client = session.seat_client(&self.match_id, self.seat.as_ref()).await?;
        let request = CheckMoveRequest {
            match_id: self.match_id,
            expected_seq: self.expect,
            input: Some(Input::Notation(self.notation)),
        };
        let verdict = client.check_move(request).await?;
        session.output.json("CheckMoveResponse", &verdict)?;
        if verdict.legal {
            session.output.text(&format!("Legal at position {}\n", verdict.seq))?;
            return Ok(Exit::Success);
        }
        let source = if verdict.paragraph.is_empty() { &verdict.reason } else { &verdict.paragraph };
        let (message, source) = (printable(&verdict.message), printable(source));
        session.output.text(&format!("Not legal at position {}: {message} ({source})\n", verdict.seq))?;
        Ok(Exit::Refused)
    }
}
