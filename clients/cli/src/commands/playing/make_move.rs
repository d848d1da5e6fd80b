//! `matchbook move`: makes a move and shows its outcome.

use clap::Args;
use matchbook_client::request_id;
use wire::v1::SubmitMoveRequest;
use wire::v1::submit_move_request::Input;

use crate::arguments::WrittenMove;
use crate::failure::Failure;
use crate::output::move_outcome;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook move MATCH 3,5
  matchbook move MATCH 3,5 --seat demons
  matchbook move MATCH 3,5 --expect 10    only if no turn has ended since position 10

If the response is lost, the client asks again; the move takes effect once.";

/// Arguments of `matchbook move`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct MakeMove {
    #[command(flatten)]
    written: WrittenMove,
}

impl MakeMove {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let WrittenMove { match_id, notation, expect, seat } = self.written;
        let client = session.mover_client(&match_id, seat.as_ref()).await?;
        let request = SubmitMoveRequest {
            match_id,
            request_id: Some(request_id()),
            expected_seq: expect,
            input: Some(Input::Notation(notation)),
            ..Default::default()
        };
        let answer = client.submit_move(request).await?;
        session.output.json("SubmitMoveResponse", &answer)?;
        session.output.text(&move_outcome(session, &answer.events, answer.view))
    }
}
