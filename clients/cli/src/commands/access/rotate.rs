//! `matchbook rotate`: replaces the token of a seat; the old one is revoked.

use clap::Args;
use matchbook_client::{Client, Error, claim_secret, request_id};
use wire::v1::{ErrorReason, GetViewRequest, RotateSeatTokenRequest, RotateSeatTokenResponse};

use crate::arguments::match_id;
use crate::arguments::{SeatName, SeatTitles};
use crate::failure::Failure;
use crate::session::Session;

const AFTER_HELP: &str = "\
Examples:
  matchbook rotate MATCH               your own seat
  matchbook rotate MATCH demons        if you have both, or for one of your players

Rotate a token that somebody else may have seen. The API key that created the match
(`matchbook login`) can rotate for a player who lost the token. The new token is
printed once and stored; programs that use the old one stop working.";

/// Arguments of `matchbook rotate`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Rotate {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// Seat: 0, 1, or its title in the game; default: the seat whose token is stored
    seat: Option<SeatName>,
}

impl Rotate {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let seat = match &self.seat {
            Some(name) => session.resolve_seat(&self.match_id, name).await?,
            None => self.own_seat(session).await?,
        };
        let answer = self.rotate(session, seat).await?;
        session.store_token((&self.match_id, seat, &answer.seat_token), || {
            session.output.json("RotateSeatTokenResponse", &answer)?;
            let title = SeatTitles::of_match(&answer.r#match.clone().unwrap_or_default()).title(seat);
            let token = board::printable(&answer.seat_token);
            session
                .output
                .text(&format!("{title} has a new token; the old one is revoked.\nToken: {token}\n"))
        })
    }

    /// Returns the seat of the caller's token.
    async fn own_seat(&self, session: &Session) -> Result<u32, Failure> {
        let unclear = || {
            let message = "name the seat whose token to rotate: 0, 1, or its title in the game";
            Failure::Usage(message.to_owned())
        };
        if session.given_token.is_none() {
            return match session.stored_tokens(&self.match_id)?.as_slice() {
                [(seat, _)] => Ok(*seat),
                _ => Err(unclear()),
            };
        }
        let request = GetViewRequest { match_id: self.match_id.clone(), ..GetViewRequest::default() };
        let view =
            session.participant_client(&self.match_id)?.get_view(request).await?.view.unwrap_or_default();
        view.viewing_seat().ok_or_else(unclear)
    }

    /// Rotates as the seat if its token is known and valid, else as the owner of the match.
    async fn rotate(&self, session: &Session, seat: u32) -> Result<RotateSeatTokenResponse, Failure> {
        let request = RotateSeatTokenRequest {
            match_id: self.match_id.clone(),
            seat: Some(seat),
            request_id: Some(request_id()),
            claim_secret: Some(claim_secret()),
        };
        let mut stored = session.stored_tokens(&self.match_id)?.into_iter();
        let token = match &session.given_token {
            Some(given) => Some(given.clone()),
            None => stored.find(|(stored, _)| *stored == seat).map(|(_, token)| token),
        };
        let owner = session.app_client()?;
        let Some(token) = token else { return Ok(owner.rotate_seat_token(request).await?) };
        let as_seat: Client = session.client_with(&token)?;
        match as_seat.rotate_seat_token(request.clone()).await {
            Err(Error::Refused(refusal))
                if session.given_token.is_none()
                    && owner.has_credential()
                    && (refusal.is(ErrorReason::BadToken) || refusal.is(ErrorReason::UnknownMatch)) =>
            {
                Ok(owner.rotate_seat_token(request).await?)
            }
            answer => Ok(answer?),
        }
    }
}
