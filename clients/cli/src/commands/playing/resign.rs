//! `matchbook resign`: resigns a match.

use clap::Args;
use matchbook_client::request_id;
use wire::v1::ResignRequest;

use crate::arguments::SeatName;
use crate::arguments::match_id;
use crate::failure::Failure;
use crate::output::move_outcome;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook resign MATCH
  matchbook resign MATCH --seat demons

The other seat wins at once; there is no confirmation. Before the first move,
`matchbook abort MATCH` ends a match without a winner. `matchbook draw MATCH`
offers a draw.";

/// Arguments of `matchbook resign`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Resign {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Seat to act for, if tokens of both are stored
    #[arg(long)]
    seat: Option<SeatName>,
}

impl Resign {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.seat_client(&self.match_id, self.seat.as_ref()).await?;
        let request = ResignRequest { match_id: self.match_id, request_id: Some(request_id()) };
        let answer = client.resign(request).await?;
        session.output.json("ResignResponse", &answer)?;
        session.output.text(&move_outcome(session, &answer.events, answer.view))
    }
}
