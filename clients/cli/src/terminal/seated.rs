//! A seat that a person plays, and the bot of the other seat.

use futures_util::future::{BoxFuture, FutureExt as _, OptionFuture};
use matchbook_client::SeatClient;

use super::rematch::{Rematch, TakenSeat};
use crate::bot::{BotSettings, Player};
use crate::credentials::TokenStore;
use crate::failure::Failure;
use crate::session::{Session, tireless};

/// A person's seat in a match.
pub(crate) struct Seated {
    /// The client with the seat's token, which tries until it has an answer.
    pub(crate) client: SeatClient,
    pub(crate) bot: Opponent,
    /// What the other player types to join, if somebody has to.
    pub(crate) invitation: Option<String>,
}

/// The bot of the other seat, if this program plays it.
#[derive(Default)]
pub(crate) struct Opponent {
    seat: Option<SeatClient>,
    /// `None` once it has ended.
    playing: Option<BoxFuture<'static, Result<(), Failure>>>,
}

impl Opponent {
    /// Plays the seat whose token the client carries.
    pub(crate) fn bot(client: SeatClient, settings: BotSettings) -> Self {
        Self { seat: Some(client.clone()), playing: Some(Player::new(client, settings).play().boxed()) }
    }

    /// Returns whether this program plays the other seat.
    pub(crate) fn is_bot(&self) -> bool {
        self.playing.is_some()
    }

    /// Returns the client with the bot's token, if this program plays the other seat.
    pub(crate) fn seat(&self) -> Option<&SeatClient> {
        self.seat.as_ref()
    }

    /// Plays on. Returns when the bot fails; after the match's end and without a bot never.
    pub(crate) async fn failed(&mut self) -> Failure {
        let played = OptionFuture::from(self.playing.as_mut()).await;
        self.playing = None;
        match played {
            Some(Err(failure)) => failure,
            Some(Ok(())) | None => std::future::pending().await,
        }
    }
}

impl Seated {
    /// Takes the stored seat of a match again. A bot that this program played goes on with it.
    pub(crate) fn again(
        session: &Session,
        match_id: &str,
        token: &str,
        settings: BotSettings,
    ) -> Result<Self, Failure> {
        let seat = |token: &str| -> Result<SeatClient, Failure> {
            Ok(SeatClient::new(tireless(&session.client_with(token)?), match_id))
        };
        let stored = match &session.bot_tokens {
            Some(tokens) => tokens.of_match(session.client.server(), match_id)?.into_iter().next(),
            None => None,
        };
        let bot = match stored {
            Some((_, token)) => Opponent::bot(seat(&token)?, settings),
            None => Opponent::default(),
        };
        Ok(Self { client: seat(token)?, bot, invitation: None })
    }

    /// Goes on in a rematch, after storing the tokens of its seats.
    pub(crate) fn in_rematch(
        session: &Session,
        rematch: Rematch,
        settings: BotSettings,
    ) -> Result<Self, Failure> {
        let Rematch { match_id, own, bot, waits } = rematch;
        let store = |tokens: &Option<TokenStore>, taken: &TakenSeat| match (tokens, &taken.token) {
            (Some(tokens), Some(token)) => tokens.put(session.client.server(), &match_id, taken.seat, token),
            _ => Ok(()),
        };
        store(&session.tokens, &own)?;
        bot.iter().try_for_each(|bot| store(&session.bot_tokens, bot))?;
        let stored = || session.stored_tokens(&match_id).map(|stored| stored.into_iter().next());
        let token = match own.token {
            Some(token) => Some(token),
            None => stored()?.map(|(_, token)| token),
        };
        let unknown = || format!("the token of your seat in the rematch {match_id} is not stored here");
        let token = token.ok_or_else(|| Failure::Usage(unknown()))?;
        let mut seated = Self::again(session, &match_id, &token, settings)?;
        seated.invitation = waits.then(|| "The other player joins with /rematch.".to_owned());
        Ok(seated)
    }
}
