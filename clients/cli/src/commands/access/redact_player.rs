//! `matchbook redact-player`: erases the player of a seat.

use clap::Args;
use wire::v1::RedactPlayerRequest;

use crate::arguments::match_id;
use crate::arguments::{SeatName, SeatTitles};
use crate::failure::Failure;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook redact-player MATCH 0
  matchbook redact-player MATCH demons

Requires the API key that created the match, or one with the role admin (`matchbook login`).
The player's name cannot be restored. The log still verifies, and the match goes on.
Files exported before keep the name.";

/// Arguments of `matchbook redact-player`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct RedactPlayer {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Seat: 0, 1, or its title in the game
    seat: SeatName,
}

impl RedactPlayer {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let seat = session.resolve_seat(&self.match_id, &self.seat).await?;
        let request = RedactPlayerRequest { match_id: self.match_id.clone(), seat: Some(seat) };
        let answer = session.app_client()?.redact_player(request).await?;
        session.output.json("RedactPlayerResponse", &answer)?;
        let title = SeatTitles::of_match(&answer.r#match.unwrap_or_default()).title(seat);
        session.output.text(&format!("The player of {title} is erased.\n"))
    }
}
