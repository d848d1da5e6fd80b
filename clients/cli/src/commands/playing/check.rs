//! `matchbook check`: checks whether a move is legal.

use board::printable;
use clap::Args;
use wire::v1::CheckMoveRequest;
use wire::v1::check_move_request::Input;

use crate::arguments::WrittenMove;
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
    #[command(flatten)]
    written: WrittenMove,
}

impl Check {
    pub(crate) async fn run(self, session: &Session) -> Result<Exit, Failure> {
        let WrittenMove { match_id, notation, expect, seat } = self.written;
        let client = session.mover_client(&match_id, seat.as_ref()).await?;
        let request =
            CheckMoveRequest { match_id, expected_seq: expect, input: Some(Input::Notation(notation)) };
        let verdict = client.check_move(request).await?;
        session.output.json("CheckMoveResponse", &verdict)?;
        let Some(refusal) = &verdict.refusal else {
            session.output.text(&format!("Legal at position {}\n", verdict.seq))?;
            return Ok(Exit::Success);
        };
        let source = if refusal.paragraph.is_empty() { &refusal.reason } else { &refusal.paragraph };
        let (message, source) = (printable(&refusal.message), printable(source));
        session.output.text(&format!("Not legal at position {}: {message} ({source})\n", verdict.seq))?;
        Ok(Exit::Refused)
    }
}
