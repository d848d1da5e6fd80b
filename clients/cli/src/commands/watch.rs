//! `matchbook watch`: follow a match to its end.

use clap::Args;

use crate::commands::match_id;
use crate::credentials::Session;
use crate::failure::Failure;
use crate::seat_name::SeatName;
use crate::spectate::Spectator;

const AFTER_HELP: &str = "\
Examples:
  matchbook watch MATCH
  matchbook watch MATCH --after 1      everything since the match was created
  matchbook watch MATCH --json | while read -r frame; do ...; done

A broken connection is opened again after the last event seen; the command ends
with the match.";

/// Arguments of `matchbook watch`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Watch {
    /// The match's id.
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Begin after this event; else with the newest position.
    #[arg(long, value_name = "SEQ")]
    after: Option<u32>,
    /// Look as this seat, with its stored token.
    #[arg(long)]
    seat: Option<SeatName>,
}

impl Watch {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let service = session.looking(&self.match_id, self.seat.as_ref()).await?;
        Spectator::new(&service, &self.match_id, session.output).watch(self.after).await
    }
}
