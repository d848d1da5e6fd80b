//! `matchbook move`: makes a move and shows its outcome.

use clap::Args;
use matchbook_client::request_id;
use wire::v1::SubmitMoveRequest;
use wire::v1::submit_move_request::Input;

use crate::arguments::SeatName;
use crate::arguments::match_id;
use crate::failure::Failure;
use crate::output::move_outcome;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook move MATCH 3,5
  matchbook move MATCH 3,5 --seat demons
  matchbook move MATCH 3,5 --expect 10    only if no turn has ended since position 10

A lost response is requested again; the move takes effect once.";

/// Arguments of `matchbook move`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct MakeMove {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Move in the game's notation, as `matchbook legal` lists it
    notation: String,
    /// Position that the move is meant for; at any other it is refused as stale
    #[arg(long, value_name = "SEQ")]
    expect: Option<u32>,
    /// Seat to act for, if tokens of both are stored
    #[arg(long)]
    seat: Option<SeatName>,
}

impl MakeMove {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.seat_client(&self.match_id, self.seat.as_ref()).await?;
        let request = SubmitMoveRequest {
            match_id: self.match_id,
            request_id: Some(request_id()),
            expected_seq: self.expect,
            input: Some(Input::Notation(self.notation)),
        };
        let answer = client.submit_move(request).await?;
        session.output.json("SubmitMoveResponse", &answer)?;
        session.output.text(&move_outcome(session, &answer.events, answer.view))
    }
}
