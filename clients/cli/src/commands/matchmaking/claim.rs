//! `matchbook claim`: claims a free seat and stores its token.

use clap::Args;
use matchbook_client::Client;
use wire::v1::{Match, MatchStatus, Player};

use crate::arguments::match_id;
use crate::arguments::{SeatName, SeatTitles};
use crate::failure::Failure;
use crate::seating::claim_seat;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook claim MATCH demons --name Bob
  matchbook claim MATCH 1 --name Bob --entropy 'dice: 4 2 6 6 1'
  matchbook claim MATCH 1 --name Bob --player-id user-17

The token is printed once and stored, so that later commands for this match find
it. Seats of a private match are claimed with the API key that created it
(`matchbook login`), those of a rematch with `matchbook rematch`.";

/// Arguments of `matchbook claim`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Claim {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Seat: 0, 1, or its title in the game (angels, demons)
    seat: SeatName,
    /// Player's name, visible to everybody
    #[arg(long)]
    name: String,
    /// Your app's own id of the player, hidden from players and spectators; requires the match's API key
    #[arg(long, value_name = "ID")]
    player_id: Option<String>,
    /// Text to mix into the match's seed, at most 64 bytes; random by default
    #[arg(long, value_name = "TEXT")]
    entropy: Option<String>,
}

impl Claim {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let seat = session.resolve_seat(&self.match_id, &self.seat).await?;
        let entropy = self.entropy.map(String::into_bytes);
        let player = Player { display_name: self.name, player_id: self.player_id };
        claim(session, &session.app_client()?, &self.match_id, seat, player, entropy).await
    }
}

/// Claims a seat for the user: prints and stores the token.
pub(crate) async fn claim(
    session: &Session,
    client: &Client,
    match_id: &str,
    seat: u32,
    player: Player,
    entropy: Option<Vec<u8>>,
) -> Result<(), Failure> {
    let answer = claim_seat(client, match_id, seat, player, entropy).await?;
    session.store_token((match_id, seat, &answer.seat_token), || {
        session.output.json("ClaimSeatResponse", &answer)?;
        let claimed = answer.r#match.clone().unwrap_or_default();
        session.output.text(&claimed_text(&claimed, seat, &answer.seat_token))
    })
}

/// Returns the text about a seat that was just claimed.
pub(crate) fn claimed_text(a_match: &Match, seat: u32, token: &str) -> String {
    let title = SeatTitles::of_match(a_match).title(seat);
    let next = match a_match.status() {
        MatchStatus::Open => "the match starts when the other seat is claimed",
        MatchStatus::Running | MatchStatus::Over | MatchStatus::Unspecified => "the match has started",
    };
    format!("You are {title}; {next}.\nToken: {}\n", board::printable(token))
}
