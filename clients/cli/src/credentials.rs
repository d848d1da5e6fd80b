//! Which token a command uses: the one given, or one stored for the match.

use wire::v1::Seat;

use crate::{
    connection::Service,
    failure::Failure,
    output::Output,
    seat_name::{SeatName, Titles},
    token_store::TokenStore,
};

/// What every command works with.
pub(crate) struct Session {
    /// The service, used without a token.
    pub service: Service,
    /// Where answers go.
    pub output: Output,
    /// Where tokens are kept; none for a user without a home.
    pub store: Option<TokenStore>,
    /// The token of `--token`, which wins over stored ones.
    pub given_token: Option<String>,
}

impl Session {
    /// The service as somebody who looks: with the token of the seat that was
    /// named, or of the only seat that is stored, or as a spectator.
    pub(crate) async fn looking(&self, match_id: &str, seat: Option<&SeatName>) -> Result<Service, Failure> {
        match self.found(match_id, seat).await? {
            Found::One(token) => self.service.with_token(&token),
            Found::None | Found::Both => Ok(self.service.clone()),
        }
    }

    /// The service as somebody who acts for a seat. Without any token the service
    /// is left to say that one is needed.
    pub(crate) async fn acting(&self, match_id: &str, seat: Option<&SeatName>) -> Result<Service, Failure> {
        match self.found(match_id, seat).await? {
            Found::One(token) => self.service.with_token(&token),
            Found::None => Ok(self.service.clone()),
            Found::Both => {
                Err(Failure::Usage("tokens of both seats are stored; pick one with --seat".to_owned()))
            }
        }
    }

    /// The seat of a match that was meant; asks the service what seats are called
    /// only if it must.
    pub(crate) async fn seat(&self, match_id: &str, name: &SeatName) -> Result<Seat, Failure> {
        if let SeatName::Numbered(seat) = name {
            return Ok(*seat);
        }
        let a_match = self.service.get_match(match_id).await?.r#match.unwrap_or_default();
        Titles::of_match(&a_match).find(name)
    }

    /// Keeps the token of a seat for later commands.
    pub(crate) fn keep(&self, match_id: &str, seat: Seat, token: &str) -> Result<(), Failure> {
        match &self.store {
            Some(store) => store.put(self.service.server(), match_id, seat, token),
            None => Ok(()),
        }
    }

    async fn found(&self, match_id: &str, seat: Option<&SeatName>) -> Result<Found, Failure> {
        if let Some(token) = &self.given_token {
            return Ok(Found::One(token.clone()));
        }
        let mut stored = match &self.store {
            Some(store) => store.tokens(self.service.server(), match_id)?,
            None => Vec::new(),
        };
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
