//! `matchbook rematch`: creates a rematch with seats swapped.

use clap::Args;
use matchbook_client::{Client, claim_secret, request_id};
use wire::v1::{CreateRematchRequest, Match, Player};

use super::claim::{claim, claimed_text};
use crate::arguments::match_id;
use crate::arguments::{SeatName, SeatTitles};
use crate::failure::Failure;
use crate::output::hex;
use crate::output::next_steps;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook rematch MATCH
  matchbook rematch MATCH --seat demons

The rematch of a finished match has the same game, options and clocks; you get
the other seat under the same name. A match has one rematch: both seats' calls
return the same. The new token is printed once and stored.

In a game with chance, the service's commitment to its part of the seed is shown
first; then your seat is claimed with random entropy.";

/// Arguments of `matchbook rematch`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Rematch {
    /// Id of the finished match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Your seat in that match, if you had both
    #[arg(long)]
    seat: Option<SeatName>,
    /// Rules version, see `matchbook games`; default: the game's newest
    #[arg(long, value_name = "N")]
    rules_version: Option<u32>,
}

impl Rematch {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let client = session.seat_client(&self.match_id, self.seat.as_ref()).await?;
        let request = CreateRematchRequest {
            match_id: self.match_id.clone(),
            request_id: Some(request_id()),
            claim_secret: Some(claim_secret()),
            rules_version: self.rules_version,
        };
        let answer = client.create_rematch(request).await?;
        let rematch = answer.r#match.clone().unwrap_or_default();
        let print = || {
            session.output.json("CreateRematchResponse", &answer)?;
            session.output.text(&format!("Match {}\n", board::printable(&rematch.match_id)))
        };
        if let Some(seat) = answer.seat
            && !answer.seat_token.is_empty()
        {
            return session.store_token((&rematch.match_id, seat, &answer.seat_token), || {
                print()?;
                session.output.text(&claimed_text(&rematch, seat, &answer.seat_token))
            });
        }
        print()?;
        let Some(seat) = answer.seat else {
            // The owner has no seat.
            return session.output.text(&next_steps(
                &rematch.match_id,
                None,
                &SeatTitles::of_match(&rematch),
            ));
        };
        if session.stored_tokens(&rematch.match_id)?.iter().any(|(stored, _)| *stored == seat) {
            let title = SeatTitles::of_match(&rematch).title(seat);
            return session.output.text(&format!("You are {title} already.\n"));
        }
        session.output.text(&commitment(&rematch))?;
        let player = self.player(&client, seat).await?;
        // The seat is reserved for who sends the finished match's token.
        claim(session, &client, &rematch.match_id, seat, player, None).await
    }

    /// Returns the player in the finished match, where it had the other seat.
    async fn player(&self, client: &Client, seat: u32) -> Result<Player, Failure> {
        let before = client.get_match(&self.match_id).await?.r#match.unwrap_or_default();
        let other = before.seats.into_iter().find(|status| status.seat != Some(seat));
        Ok(other.and_then(|status| status.player).unwrap_or_default())
    }
}

/// Returns the text about the service's commitment, made before this seat contributes entropy.
fn commitment(rematch: &Match) -> String {
    format!("The service's commitment to its part of the seed: {}\n", hex(rematch.seed_commitment()))
}
