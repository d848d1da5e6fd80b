//! The seats that a model plays: claiming them, finding them again, looking at the table.

use std::time::Duration;

use board::{Colour, Orientation, TextStyle};
use futures_util::TryStreamExt as _;
use matchbook_client::{SeatClient, request_id};
use tokio::time::timeout;
use wire::v1::{CreateMatchRequest, Game, GetGameRequest, Visibility};

use super::bots::Bots;
use super::parameters::{Join, NewMatch, Opponent};
use crate::arguments::{GameOption, SeatName, SeatTitles, game_options};
use crate::failure::Failure;
use crate::seating::claim_and_store;
use crate::session::Session;
use crate::viewing::Table;

/// Newest lines of what happened that a look at the table shows.
const SHOWN_LINES: usize = 20;

/// Returns the seat of a match whose token is stored.
pub(super) fn seat(session: &Session, match_id: &str) -> Result<SeatClient, Failure> {
    let match_id = known_id(match_id)?;
    match session.stored_tokens(&match_id)?.into_iter().next() {
        Some((_, token)) => Ok(SeatClient::new(session.client_with(&token)?, match_id)),
        None => Err(Failure::Usage("you have no seat in that match: call join_match first".to_owned())),
    }
}

/// Claims a seat of a match for the model.
pub(super) async fn join(session: &Session, wanted: Join) -> Result<SeatClient, Failure> {
    let match_id = known_id(&wanted.match_id)?;
    if !session.stored_tokens(&match_id)?.is_empty() {
        return Err(Failure::Usage("you have a seat in that match already: call look".to_owned()));
    }
    let found = session.app_client()?.get_match(&match_id).await?.r#match.unwrap_or_default();
    let free = found.seats.iter().find(|status| !status.claimed).and_then(|status| status.seat);
    let seat_number = match &wanted.seat {
        Some(name) => SeatTitles::of_match(&found).find(&seat_name(name)?)?,
        None => free.ok_or_else(|| Failure::Usage("every seat of that match is taken".to_owned()))?,
    };
    claim_and_store(session, session.tokens.as_ref(), &match_id, seat_number, &wanted.name).await?;
    seat(session, &match_id)
}

/// Creates a match and claims a seat for the model, and the other one for a bot if it wants one.
pub(super) async fn create(session: &Session, bots: &Bots, wanted: NewMatch) -> Result<SeatClient, Failure> {
    let request = GetGameRequest { game_id: wanted.game.clone() };
    let game: Game = session.client.get_game(request).await?.game.unwrap_or_default();
    let name = wanted.seat.as_deref().map(seat_name).transpose()?;
    let own = name.map(|name| SeatTitles::of_game(&game).find(&name)).transpose()?.unwrap_or(0);
    let options: Vec<GameOption> = wanted.options.into_iter().map(GameOption::from).collect();
    let listed = wanted.against == Opponent::Anyone;
    let request = CreateMatchRequest {
        game_id: wanted.game.clone(),
        options: game_options(&wanted.game, &options)?,
        visibility: Some(if listed { Visibility::Public } else { Visibility::Unlisted }.into()),
        request_id: Some(request_id()),
        ..CreateMatchRequest::default()
    };
    let created = session.app_client()?.create_match(request).await?;
    let match_id = created.r#match.unwrap_or_default().match_id;
    claim_and_store(session, session.tokens.as_ref(), &match_id, own, &wanted.name).await?;
    if wanted.against == Opponent::Bot {
        for other in (0..).take(game.seat_names.len()).filter(|seat| *seat != own) {
            bots.claim(session, &match_id, other).await?;
        }
    }
    seat(session, &match_id)
}

/// Describes the table of a seat: the board, what happened, and what the match waits for. With a time to wait
/// it returns once the seat has something to do, or the time is over.
pub(super) async fn look(seat: &SeatClient, wait: Option<Duration>) -> Result<String, Failure> {
    let mut watch = seat.client().watch(seat.match_id()).with_views();
    let mut table = Table::default();
    let mut follow = async || -> Result<(), Failure> {
        while let Some(frame) = watch.try_next().await? {
            table.receive(frame);
            if wait.is_none() || table.is_waiting_for_player() {
                break;
            }
        }
        Ok(())
    };
    match wait {
        None => follow().await?,
        Some(limit) => {
            if let Ok(followed) = timeout(limit, follow()).await {
                followed?;
            }
        }
    }
    let board = table.draw(TextStyle { colour: Colour::Plain, orientation: Orientation::Viewer });
    let happened = &table.lines[table.lines.len().saturating_sub(SHOWN_LINES)..];
    let happened: String = happened.iter().map(|line| format!("{line}\n")).collect();
    Ok(format!("Match {}\n{happened}\n{board}\n{}\n", seat.match_id(), table.prompt()))
}

fn seat_name(typed: &str) -> Result<SeatName, Failure> {
    typed.parse().map_err(|problem: &str| Failure::Usage(problem.to_owned()))
}

fn known_id(typed: &str) -> Result<String, Failure> {
    crate::arguments::match_id(typed).map_err(|problem| Failure::Usage(problem.to_string()))
}
