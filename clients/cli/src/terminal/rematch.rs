//! The rematch of a finished match: its seats for the player and for the bot that this program plays.

use matchbook_client::{Error, SeatClient};
use wire::v1::{ErrorReason, Match, SeatStatus};

/// A rematch with the seats that this program has in it.
#[derive(Debug)]
pub(crate) struct Rematch {
    pub(crate) match_id: String,
    pub(crate) own: TakenSeat,
    pub(crate) bot: Option<TakenSeat>,
    /// Whether another player has yet to take a seat.
    pub(crate) waits: bool,
}

/// A seat of a rematch.
#[derive(Debug)]
pub(crate) struct TakenSeat {
    pub(crate) seat: u32,
    /// `None` if this player took the seat before: then its token is stored.
    pub(crate) token: Option<String>,
}

impl Rematch {
    /// Creates or finds the rematch, and takes the seats.
    pub(super) async fn of(seat: &SeatClient, bot: Option<&SeatClient>) -> Result<Self, Error> {
        let (rematch, own) = take(seat).await?;
        let bot = match bot {
            Some(bot) => Some(take(bot).await?.1),
            None => None,
        };
        let is_free = |status: &SeatStatus| status.seat != Some(own.seat) && !status.claimed;
        let waits = bot.is_none() && rematch.seats.iter().any(is_free);
        Ok(Self { match_id: rematch.match_id, own, bot, waits })
    }
}

/// Creates or finds the rematch and takes the seat that is reserved there for this player.
async fn take(seat: &SeatClient) -> Result<(Match, TakenSeat), Error> {
    let answer = seat.rematch().await?;
    let rematch = answer.r#match.unwrap_or_default();
    let number = answer.seat.unwrap_or_default();
    let taken = |token| TakenSeat { seat: number, token };
    if !answer.seat_token.is_empty() {
        return Ok((rematch, taken(Some(answer.seat_token))));
    }
    // A game with chance: the player claims, and so contributes to the deal. It had the other seat before.
    let before = seat.get_match().await?.r#match.unwrap_or_default();
    let player = before.seats.into_iter().find(|status| status.seat != Some(number));
    let player = player.and_then(|status| status.player).unwrap_or_default();
    let claimed = seat.client().match_by_id(rematch.match_id.clone()).claim(number, player).await;
    let token = match claimed {
        Ok(claimed) => claimed.token().map(str::to_owned),
        Err(error) if error.is(ErrorReason::SeatTaken) => None,
        Err(error) => return Err(error),
    };
    Ok((rematch, taken(token)))
}
