//! Bots that play Angels and Demons without pauses. They know every legal move, so they call the service for
//! moves only.

use std::time::Instant;

use anyhow::{Context, Result};
use matchbook_client::games::angels_and_demons::v1 as game;
use matchbook_client::v1;
use matchbook_client::v1::submit_move_request::Input;
use matchbook_client::{Client, MoveStream, claim_secret, request_id};
use tokio::task::JoinSet;

use crate::callers::{BenchCaller, connect};
use crate::figure::Figure;
use crate::samples::Samples;
use crate::window::{Phases, Window};

const GAME: &str = "angels-and-demons";
/// Rows and columns of the default board.
const SIDE: u32 = 8;
/// The game's maximum, so that few new matches disturb the measurement.
const TURNS: u32 = 1000;
/// Events of a match with both seats claimed: created, two claims, started.
const FIRST_EVENTS: u32 = 4;

/// How moves are sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Over {
    /// Each move is a call and returns events and view.
    #[default]
    Calls,
    /// The moves of a connection share a stream and return receipts.
    Stream,
}

/// Measures `SubmitMove` in concurrent matches. In each match the seats move alternately, one call at a time.
pub(crate) async fn measure(server: &str, matches: u32, over: Over, phases: Phases) -> Result<Figure> {
    let mut creating = JoinSet::new();
    for caller in connect(server, matches).await? {
        creating.spawn(MatchBot::create(caller, over));
    }
    let mut bots = Vec::new();
    while let Some(bot) = creating.join_next().await {
        bots.push(bot??);
    }
    let window = Window::from_now(phases);
    let mut playing = JoinSet::new();
    for bot in bots {
        playing.spawn(bot.play(window));
    }
    let mut samples = Samples::default();
    while let Some(sampled) = playing.join_next().await {
        samples = samples.merge(sampled??);
    }
    Ok(Figure::of(matches, &window, samples))
}

/// Plays both seats of one match.
struct MatchBot {
    caller: BenchCaller,
    over: Over,
    match_id: String,
    seats: [Seat; 2],
    /// Number of events that the match has.
    events: u32,
}

/// What makes the moves of a seat.
enum Seat {
    Calls(Client),
    Stream(MoveStream, String),
}

impl MatchBot {
    /// Creates a match and claims both seats.
    async fn create(caller: BenchCaller, over: Over) -> Result<Self> {
        let host = &caller.client;
        let options = game::Options { rows: Some(SIDE), cols: Some(SIDE), turns: Some(TURNS) };
        let request = v1::CreateMatchRequest {
            game_id: GAME.to_owned(),
            options: Some(v1::GameOptions { game: Some(v1::game_options::Game::AngelsAndDemons(options)) }),
            request_id: Some(request_id()),
            ..Default::default()
        };
        let created = host.create_match(request).await.context("cannot create a match")?;
        let match_id = created.r#match.context("the response has no match")?.match_id;
        let tokens = [claim(host, &match_id, 0, "Ann").await?, claim(host, &match_id, 1, "Ben").await?];
        let [light, dark] = tokens.map(|token| Seat::of(&caller, over, token));
        Ok(Self { caller, over, match_id, seats: [light?, dark?], events: FIRST_EVENTS })
    }

    async fn play(mut self, window: Window) -> Result<Samples> {
        let mut samples = Samples::default();
        loop {
            for _ in 0..TURNS {
                for seat in &self.seats {
                    let sent = Instant::now();
                    if window.is_over(sent) {
                        return Ok(samples);
                    }
                    let events = seat.submit(&self.match_id, self.events).await?;
                    samples.add(&window, sent, events);
                    self.events += u32::try_from(events)?;
                }
            }
            self = Self::create(self.caller, self.over).await?;
        }
    }
}

impl Seat {
    fn of(caller: &BenchCaller, over: Over, token: String) -> Result<Self> {
        Ok(match over {
            Over::Calls => Self::Calls(caller.client.with_seat_token(&token)?),
            Over::Stream => Self::Stream(caller.moves.clone(), token),
        })
    }

    /// Makes a random move in a match with this many events. Returns the number of events that it produced.
    async fn submit(&self, match_id: &str, events: u32) -> Result<usize> {
        let game = Some(v1::r#move::Game::AngelsAndDemons(black_space()));
        let request = v1::SubmitMoveRequest {
            match_id: match_id.to_owned(),
            input: Some(Input::Move(v1::Move { game })),
            request_id: Some(request_id()),
            ..Default::default()
        };
        match self {
            Self::Calls(client) => {
                let response = client.submit_move(request).await.context("cannot make a move")?;
                Ok(response.events.len())
            }
            Self::Stream(moves, token) => {
                let request = v1::SubmitMoveRequest { answer: v1::MoveAnswer::Receipt.into(), ..request };
                let response = moves.submit(token, request).await.context("cannot make a move")?;
                let receipt = response.receipt.context("the response has no receipt")?;
                Ok(receipt.seq.saturating_sub(events) as usize)
            }
        }
    }
}

async fn claim(host: &Client, match_id: &str, seat: u32, name: &str) -> Result<String> {
    let request = v1::ClaimSeatRequest {
        match_id: match_id.to_owned(),
        seat: Some(seat),
        player: Some(v1::Player::named(name)),
        request_id: Some(request_id()),
        claim_secret: Some(claim_secret()),
        ..Default::default()
    };
    Ok(host.claim_seat(request).await.context("cannot claim a seat")?.seat_token)
}

/// Returns a random black space: row and column add up to an even number (AD-2). Each may be chosen in every
/// turn (AD-4).
fn black_space() -> game::Move {
    let row = rand::random_range(1..=SIDE);
    let pair = rand::random_range(0..SIDE / 2);
    game::Move { row, col: 2 * pair + if row % 2 == 1 { 1 } else { 2 } }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_black_spaces_are_chosen_and_no_others() {
        let chosen: BTreeSet<(u32, u32)> =
            (0..10_000).map(|_| black_space()).map(|m| (m.row, m.col)).collect();
        let board = (1..=SIDE).flat_map(|row| (1..=SIDE).map(move |col| (row, col)));
        assert_eq!(chosen, board.filter(|(row, col)| (row + col) % 2 == 0).collect());
    }
}
