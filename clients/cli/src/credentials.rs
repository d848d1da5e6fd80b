//! Which secret a command uses: the one given, a seat's token stored for the match,
//! or the API key stored for the server.

use matchbook_client::{Client, Error};
use wire::v1::{ErrorReason, Seat};

use crate::failure::Failure;
use crate::key_store::{KeyStore, is_api_key};
use crate::output::Output;
use crate::seat_name::{SeatName, Titles};
use crate::token_store::TokenStore;

/// What every command works with.
pub(crate) struct Session {
    /// The service, used without a secret.
    pub service: Client,
    /// Where answers go.
    pub output: Output,
    /// Where tokens are kept; none for a user without a home.
    pub store: Option<TokenStore>,
    /// Where API keys are kept; none for a user without a home.
    pub keys: Option<KeyStore>,
    /// The token or key of `--token`, which wins over stored ones.
    pub given_token: Option<String>,
}

impl Session {
    /// The service as somebody who looks: with the token of the seat that was
    /// named, or of the only seat that is stored, or with the stored API key, or as
    /// a spectator.
    pub(crate) async fn looking(&self, match_id: &str, seat: Option<&SeatName>) -> Result<Client, Failure> {
        match self.found(match_id, seat).await? {
            Found::One(token) => Ok(self.service.with_token(&token)?),
            Found::None | Found::Both => self.keyed(),
        }
    }

    /// The service as somebody who acts for a seat. Without any token the service
    /// is left to say that one is needed.
    pub(crate) async fn acting(&self, match_id: &str, seat: Option<&SeatName>) -> Result<Client, Failure> {
        match self.found(match_id, seat).await? {
            Found::One(token) => Ok(self.service.with_token(&token)?),
            Found::None => self.keyed(),
            Found::Both => {
                Err(Failure::Usage("tokens of both seats are stored; pick one with --seat".to_owned()))
            }
        }
    }

    /// The service as somebody who has to do with a match, in whatever way: for calls
    /// that are the same for both seats.
    pub(crate) fn concerned(&self, match_id: &str) -> Result<Client, Failure> {
        if let Some(token) = &self.given_token {
            return Ok(self.service.with_token(token)?);
        }
        match self.stored(match_id)?.into_iter().next() {
            Some((_, token)) => Ok(self.service.with_token(&token)?),
            None => self.keyed(),
        }
    }

    /// The service as an app: with the API key of `--token`, or the stored one. For
    /// calls that no seat makes, so a seat's token is left away.
    pub(crate) fn keyed(&self) -> Result<Client, Failure> {
        match self.key()? {
            Some(key) => Ok(self.service.with_token(&key)?),
            None => Ok(self.service.clone()),
        }
    }

    /// The API key that was given or else is stored.
    pub(crate) fn key(&self) -> Result<Option<String>, Failure> {
        match (self.given_token.as_ref().filter(|token| is_api_key(token)), &self.keys) {
            (Some(given), _) => Ok(Some(given.clone())),
            (None, Some(keys)) => keys.key(self.service.server()),
            (None, None) => Ok(None),
        }
    }

    /// The seat of a match that was meant; asks the service what seats are called
    /// only if it must.
    pub(crate) async fn seat(&self, match_id: &str, name: &SeatName) -> Result<Seat, Failure> {
        if let SeatName::Numbered(seat) = name {
            return Ok(*seat);
        }
        // Stored tokens may be void by now, so they are tried only where one is needed.
        let answer = match self.keyed()?.get_match(match_id).await {
            Err(Error::Refused(refusal)) if refusal.is(ErrorReason::UnknownMatch) => {
                self.concerned(match_id)?.get_match(match_id).await
            }
            answer => answer,
        };
        let a_match = answer?.r#match.unwrap_or_default();
        Titles::of_match(&a_match).find(name)
    }

    /// The tokens stored for a match.
    pub(crate) fn stored(&self, match_id: &str) -> Result<Vec<(Seat, String)>, Failure> {
        match &self.store {
            Some(store) => store.tokens(self.service.server(), match_id),
            None => Ok(Vec::new()),
        }
    }

    /// Keeps the token of a seat for later commands, and tells where. The service has
    /// shown it this once, so it is kept also if printing it has failed, and printed
    /// before keeping it can fail.
    pub(crate) fn keep(
        &self,
        (match_id, seat, token): (&str, Seat, &str),
        print: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let printed = print();
        let Some(store) = &self.store else { return printed };
        store.put(self.service.server(), match_id, seat, token)?;
        printed?;
        let path = board::printable(&store.path().to_string_lossy());
        self.output.text(&format!("Kept in {path}; your commands find it there.\n"))
    }

    async fn found(&self, match_id: &str, seat: Option<&SeatName>) -> Result<Found, Failure> {
        if let Some(token) = &self.given_token {
            return Ok(Found::One(token.clone()));
        }
        let mut stored = self.stored(match_id)?;
        if let Some(name) = seat {
            let wanted = self.seat(match_id, name).await?;
            let token = stored.into_iter().find(|(seat, _)| *seat == wanted);
            return token.map(|(_, token)| Found::One(token)).ok_or_else(|| {
                Failure::Usage(
                    "no token is stored for that seat of that match; claim it or give --token".to_owned(),
                )
            });
        }
        Ok(match (stored.pop(), stored.is_empty()) {
            (None, _) => Found::None,
            (Some((_, token)), true) => Found::One(token),
            (Some(_), false) => Found::Both,
        })
    }
}

/// How many tokens there are to choose from.
enum Found {
    None,
    One(String),
    Both,
}
