//! `matchbook check`: would a move be accepted now?

use board::printable;
use clap::Args;
use wire::v1::CheckMoveRequest;
use wire::v1::check_move_request::Input;

use crate::commands::match_id;
use crate::credentials::Session;
use crate::failure::{Exit, Failure};
use crate::seat_name::SeatName;

const AFTER_HELP: &str = "\
Examples:
  matchbook check MATCH 3,5
  matchbook check MATCH 3,4 || echo 'not that one'

Exit code 0 if the move is legal, 1 if it is not. Nothing is changed.";

/// Arguments of `matchbook check`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Check {
    /// The match's id.
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// The move in the game's notation.
    notation: String,
    /// Judge it at this position only.
    #[arg(long, value_name = "SEQ")]
    expect: Option<u32>,
    /// Which of your seats, if you have both.
    #[arg(long)]
    seat: Option<SeatName>,
}

impl Check {
    pub(crate) async fn run(self, session: &Session) -> Result<Exit, Failure> {
        let service = session.acting(&self.match_id, self.seat.as_ref()).await?;
        let request = CheckMoveRequest {
            match_id: self.match_id,
            expected_seq: self.expect,
            input: Some(Input::Notation(self.notation)),
        };
        let verdict = service.check_move(request).await?;
        session.output.json("CheckMoveResponse", &verdict)?;
        if verdict.legal {
            session.output.text(&format!("Legal at position {}\n", verdict.seq))?;
            return Ok(Exit::Done);
        }
        let by = if verdict.paragraph.is_empty() { &verdict.reason } else { &verdict.paragraph };
        let (message, by) = (printable(&verdict.message), printable(by));
        session.output.text(&format!("Not legal at position {}: {message} ({by})\n", verdict.seq))?;
        Ok(Exit::Refused)
    }
}
