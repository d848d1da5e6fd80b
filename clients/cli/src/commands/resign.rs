//! `matchbook resign`: give the match up.

use clap::Args;
use wire::v1::ResignRequest;

use crate::commands::outcome::told;
use crate::commands::{match_id, request_id};
use crate::credentials::Session;
use crate::failure::Failure;
use crate::seat_name::SeatName;

const AFTER_HELP: &str = "\
Examples:
  matchbook resign MATCH
  matchbook resign MATCH --seat demons

The other seat wins, at once and for good; nothing is asked. Before the first
move `matchbook abort MATCH` ends a match without a winner, and `matchbook draw
MATCH` offers one.";

/// Arguments of `matchbook resign`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Resign {
    /// The match's id.
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Which of your seats, if you have both.
    #[arg(long)]
    seat: Option<SeatName>,
}

impl Resign {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let service = session.acting(&self.match_id, self.seat.as_ref()).await?;
        let request = ResignRequest { match_id: self.match_id, request_id: request_id() };
        let answer = service.resign(request).await?;
        session.output.json("ResignResponse", &answer)?;
        session.output.text(&told(session, &answer.events, answer.view))
    }
}
