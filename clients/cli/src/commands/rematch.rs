//! `matchbook rematch`: the same again with seats swapped.

use clap::Args;
use matchbook_client::Client;
use wire::v1::{CreateRematchRequest, Match, Seat};

use crate::commands::claim::{claim, taken_seat};
use crate::commands::next_steps::next_steps;
use crate::commands::outcome::hex;
use crate::commands::{match_id, request_id};
use crate::credentials::Session;
use crate::failure::Failure;
use crate::seat_name::{SeatName, Titles};

const AFTER_HELP: &str = "\
Examples:
  matchbook rematch MATCH
  matchbook rematch MATCH --seat demons

The same game with the same options and clocks, once MATCH is over; you get the
other seat than before, under the same name. There is one rematch of a match:
whoever asks second comes to the same. The new token is printed once and kept.

In a game with chance the service's commitment to its part of the seed is shown
first; your seat is claimed after that, with random entropy.";

/// Arguments of `matchbook rematch`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Rematch {
    /// The id of the match that is over.
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Which of your seats in it, if you had both.
    #[arg(long)]
    seat: Option<SeatName>,
}

impl Rematch {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let service = session.acting(&self.match_id, self.seat.as_ref()).await?;
        let request = CreateRematchRequest { match_id: self.match_id.clone(), request_id: request_id() };
        let answer = service.create_rematch(request).await?;
        let (seat, rematch) = (answer.seat(), answer.r#match.clone().unwrap_or_default());
        let print = || {
            session.output.json("CreateRematchResponse", &answer)?;
            session.output.text(&format!("Match {}\n", board::printable(&rematch.match_id)))
        };
        if !answer.seat_token.is_empty() {
            return session.keep((&rematch.match_id, seat, &answer.seat_token), || {
                print()?;
                session.output.text(&taken_seat(&rematch, seat, &answer.seat_token))
            });
        }
        print()?;
        if seat == Seat::Unspecified {
            // The owner has no seat to swap.
            return session.output.text(&next_steps(&rematch.match_id, None, &Titles::of_match(&rematch)));
        }
        if session.stored(&rematch.match_id)?.iter().any(|(stored, _)| *stored == seat) {
            let title = Titles::of_match(&rematch).title(seat);
            return session.output.text(&format!("You have the seat {title} already.\n"));
        }
        session.output.text(&committed(&rematch))?;
        let name = self.name(&service, seat).await?;
        claim(session, &rematch.match_id, seat, name, None).await
    }

    /// The player's name in the other seat of the match before.
    async fn name(&self, service: &Client, seat: Seat) -> Result<String, Failure> {
        let before = service.get_match(&self.match_id).await?.r#match.unwrap_or_default();
        let other = before.seats.into_iter().find(|status| status.seat() != seat);
        Ok(other.map(|status| status.player_name).unwrap_or_default())
    }
}

/// What the service has bound itself to before this seat gives its entropy.
fn committed(rematch: &Match) -> String {
    let commitment = rematch.seed_commitment.as_ref().map_or(&[][..], |digest| &digest.value);
    format!("The service's commitment to its part of the seed: {}\n", hex(commitment))
}
