//! `matchbook move`: make a move and see what came of it.

use clap::Args;
use wire::v1::SubmitMoveRequest;
use wire::v1::submit_move_request::Input;

use crate::commands::outcome::told;
use crate::commands::{match_id, request_id};
use crate::credentials::Session;
use crate::failure::Failure;
use crate::seat_name::SeatName;

const AFTER_HELP: &str = "\
Examples:
  matchbook move MATCH 3,5
  matchbook move MATCH 3,5 --seat demons
  matchbook move MATCH 3,5 --expect 10    only if no turn has ended since position 10

A lost answer is asked for again: the move is made once.";

/// Arguments of `matchbook move`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct MakeMove {
    /// The match's id.
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// The move in the game's notation, as `matchbook legal` lists it.
    notation: String,
    /// Make it only at this position; else it is refused as stale.
    #[arg(long, value_name = "SEQ")]
    expect: Option<u32>,
    /// Which of your seats, if you have both.
    #[arg(long)]
    seat: Option<SeatName>,
}

impl MakeMove {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let service = session.acting(&self.match_id, self.seat.as_ref()).await?;
        let request = SubmitMoveRequest {
            match_id: self.match_id,
            request_id: request_id(),
            expected_seq: self.expect,
            input: Some(Input::Notation(self.notation)),
        };
        let answer = service.submit_move(request).await?;
        session.output.json("SubmitMoveResponse", &answer)?;
        session.output.text(&told(session, &answer.events, answer.view))
    }
}
