//! `matchbook watch`: follows a match until it is over.

use clap::Args;

use crate::arguments::SeatName;
use crate::arguments::match_id;
use crate::failure::Failure;
use crate::session::Session;
use crate::viewing::Spectator;

const AFTER_HELP: &str = "\
Examples:
  matchbook watch MATCH
  matchbook watch MATCH --after 0      everything from the first event on
  matchbook watch MATCH --json | while read -r frame; do ...; done

A lost connection is reopened after the last event received; the command ends
with the match.";

/// Arguments of `matchbook watch`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Watch {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Event to start after; default: start with the newest position
    #[arg(long, value_name = "SEQ")]
    after: Option<u32>,
    /// Seat to view as, with its stored token
    #[arg(long)]
    seat: Option<SeatName>,
}

impl Watch {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.viewer_client(&self.match_id, self.seat.as_ref()).await?;
        Spectator::new(&client, &self.match_id, session.output).watch(self.after).await
    }
}
