//! `matchbook rotate`: a new token for a seat; the one before is void.

use clap::Args;
use matchbook_client::{Client, Error};
use wire::v1::{ErrorReason, GetViewRequest, RotateSeatTokenRequest, RotateSeatTokenResponse, Seat};

use crate::commands::{match_id, request_id};
use crate::credentials::Session;
use crate::failure::Failure;
use crate::seat_name::{SeatName, Titles, viewing_seat};

const AFTER_HELP: &str = "\
Examples:
  matchbook rotate MATCH               your seat's
  matchbook rotate MATCH demons        if you have both, or for your player

Do it when somebody may have seen your token. Who created the match with an API key
(`matchbook login`) can do it for a player who has lost the token. The new one is
printed once and kept; a program that plays with the old one stops.";

/// Arguments of `matchbook rotate`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Rotate {
    /// The match's id.
    #[arg(value_name = "MATCH", value_parser = match_id)]
    match_id: String,
    /// The seat: 0, 1, or what the game calls it; else the one whose token you have.
    seat: Option<SeatName>,
}

impl Rotate {
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let seat = match &self.seat {
            Some(name) => session.seat(&self.match_id, name).await?,
            None => self.own_seat(session).await?,
        };
        let answer = self.rotated(session, seat).await?;
        session.keep((&self.match_id, seat, &answer.seat_token), || {
            session.output.json("RotateSeatTokenResponse", &answer)?;
            let title = Titles::of_match(&answer.r#match.clone().unwrap_or_default()).title(seat);
            let token = board::printable(&answer.seat_token);
            session
                .output
                .text(&format!("{title} has a new token; the one before is void.\nToken: {token}\n"))
        })
    }

    /// The seat of the token that the caller has.
    async fn own_seat(&self, session: &Session) -> Result<Seat, Failure> {
        let unclear = || {
            let message = "name the seat whose token is to be changed: 0, 1, or what the game calls it";
            Failure::Usage(message.to_owned())
        };
        if session.given_token.is_none() {
            return match session.stored(&self.match_id)?.as_slice() {
                [(seat, _)] => Ok(*seat),
                _ => Err(unclear()),
            };
        }
        let request = GetViewRequest { match_id: self.match_id.clone(), ..GetViewRequest::default() };
        let view = session.concerned(&self.match_id)?.get_view(request).await?.view.unwrap_or_default();
        viewing_seat(&view).ok_or_else(unclear)
    }

    /// As the seat if its token is there and still good, else as the match's owner.
    async fn rotated(&self, session: &Session, seat: Seat) -> Result<RotateSeatTokenResponse, Failure> {
        let request = RotateSeatTokenRequest {
            match_id: self.match_id.clone(),
            seat: seat.into(),
            request_id: request_id(),
        };
        let mut stored = session.stored(&self.match_id)?.into_iter();
        let token = match &session.given_token {
            Some(given) => Some(given.clone()),
            None => stored.find(|(stored, _)| *stored == seat).map(|(_, token)| token),
        };
        let owner = session.keyed()?;
        let Some(token) = token else { return Ok(owner.rotate_seat_token(request).await?) };
        let as_seat: Client = session.service.with_token(&token)?;
        match as_seat.rotate_seat_token(request.clone()).await {
            Err(Error::Refused(refusal))
                if session.given_token.is_none()
                    && owner.has_token()
                    && (refusal.is(ErrorReason::BadToken) || refusal.is(ErrorReason::UnknownMatch)) =>
            {
                Ok(owner.rotate_seat_token(request).await?)
            }
            answer => Ok(answer?),
        }
    }
}
