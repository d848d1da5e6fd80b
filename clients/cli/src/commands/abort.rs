//! `matchbook abort`: call a match off before it has really begun.

use clap::Args;
use wire::v1::AbortMatchRequest;

use crate::commands::outcome::told;
use crate::commands::{match_id, request_id};
use crate::credentials::Session;
use crate::failure::Failure;
use crate::seat_name::SeatName;

const AFTER_HELP: &str = "\
Examples:
  matchbook abort MATCH
  matchbook abort MATCH --seat angels

Nobody wins. A seat can do it until the first move is made; in a game with chance
only until both seats are taken, because the deal is known then. Later there is
`matchbook resign MATCH`. A match that nobody joins ends by itself after a day.";

/// Arguments of `matchbook abort`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Abort {
    /// The match's id.
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Which of your seats, if you have both.
    #[arg(long)]
    seat: Option<SeatName>,
}

impl Abort {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let service = session.acting(&self.match_id, self.seat.as_ref()).await?;
        let request = AbortMatchRequest { match_id: self.match_id, request_id: request_id() };
        let answer = service.abort_match(request).await?;
        session.output.json("AbortMatchResponse", &answer)?;
        session.output.text(&told(session, &answer.events, answer.view))
    }
}
