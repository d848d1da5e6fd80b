//! `matchbook abort`: aborts a match before its first move.

use clap::Args;
use matchbook_client::request_id;
use wire::v1::AbortMatchRequest;

use crate::arguments::SeatName;
use crate::arguments::match_id;
use crate::failure::Failure;
use crate::output::move_outcome;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook abort MATCH
  matchbook abort MATCH --seat angels

Nobody wins. A seat can abort until the first move; in a game with chance until
both seats are claimed, since the deal is known then. After that, use `matchbook
resign MATCH`. A match that nobody joins expires after a day.";

/// Arguments of `matchbook abort`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Abort {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Seat to act for, if tokens of both are stored
    #[arg(long)]
    seat: Option<SeatName>,
}

impl Abort {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.seat_client(&self.match_id, self.seat.as_ref()).await?;
        let request = AbortMatchRequest { match_id: self.match_id, request_id: Some(request_id()) };
        let answer = client.abort_match(request).await?;
        session.output.json("AbortMatchResponse", &answer)?;
        session.output.text(&move_outcome(session, &answer.events, answer.view))
    }
}
