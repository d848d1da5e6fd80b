//! `matchbook claim`: take a free seat and keep its token.

use clap::Args;
use matchbook_client::Client;
use wire::v1::{ClaimSeatRequest, ClaimSeatResponse, Match, MatchStatus, Seat};

use crate::commands::{match_id, request_id};
use crate::credentials::Session;
use crate::failure::Failure;
use crate::seat_name::{SeatName, Titles};

const AFTER_HELP: &str = "\
Examples:
  matchbook claim MATCH demons --name Bob
  matchbook claim MATCH 1 --name Bob --entropy 'dice: 4 2 6 6 1'

The token is printed once and kept in the token file, so that later commands
on this match find it. A private match's seats are claimed by the API key that
created it (`matchbook login`).";

/// Arguments of `matchbook claim`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Claim {
    /// The match's id.
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// The seat: 0, 1, or what the game calls it (angels, demons).
    seat: SeatName,
    /// Your name, as everybody will see it.
    #[arg(long)]
    name: String,
    /// Text (at most 64 bytes) to mix into the match's seed; random if you leave
    /// it away.
    #[arg(long, value_name = "TEXT")]
    entropy: Option<String>,
}

impl Claim {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let seat = session.seat(&self.match_id, &self.seat).await?;
        let entropy = self.entropy.map(String::into_bytes);
        claim(session, &self.match_id, seat, self.name, entropy).await
    }
}

/// Claims a seat for the person at the keyboard: prints and keeps the token.
pub(crate) async fn claim(
    session: &Session,
    match_id: &str,
    seat: Seat,
    name: String,
    entropy: Option<Vec<u8>>,
) -> Result<(), Failure> {
    let answer = claim_quietly(&session.keyed()?, match_id, seat, name, entropy).await?;
    session.keep((match_id, seat, &answer.seat_token), || {
        session.output.json("ClaimSeatResponse", &answer)?;
        let claimed = answer.r#match.clone().unwrap_or_default();
        session.output.text(&taken_seat(&claimed, seat, &answer.seat_token))
    })
}

/// Claims a seat and tells nobody.
pub(crate) async fn claim_quietly(
    service: &Client,
    match_id: &str,
    seat: Seat,
    name: String,
    entropy: Option<Vec<u8>>,
) -> Result<ClaimSeatResponse, Failure> {
    let request = ClaimSeatRequest {
        match_id: match_id.to_owned(),
        seat: seat.into(),
        player_name: name,
        entropy: entropy.unwrap_or_else(|| rand::random::<[u8; 32]>().to_vec()),
        request_id: request_id(),
    };
    Ok(service.claim_seat(request).await?)
}

/// What is to be said of a seat that was just taken.
pub(crate) fn taken_seat(a_match: &Match, seat: Seat, token: &str) -> String {
    let title = Titles::of_match(a_match).title(seat);
    let next = match a_match.status() {
        MatchStatus::Open => "the match begins when the other seat is taken",
        MatchStatus::Running | MatchStatus::Over | MatchStatus::Unspecified => "the match has begun",
    };
    format!("You have the seat {title}; {next}.\nToken: {}\n", board::printable(token))
}
