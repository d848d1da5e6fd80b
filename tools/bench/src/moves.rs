//! Bots that play Angels and Demons as fast as they are answered. They know every legal move without asking,
//! so that the service is asked for nothing but moves.

use std::time::Instant;

use anyhow::{Context, Result};
use tokio::task::JoinSet;
use tonic::Request;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use uuid::Uuid;
use wire::games::angels_and_demons::v1 as game;
use wire::v1::match_service_client::MatchServiceClient;
use wire::v1::submit_move_request::Input;
use wire::v1::{self, Seat};

use crate::connection::channels;
use crate::figure::Figure;
use crate::tally::Tally;
use crate::window::{Span, Window};

const GAME: &str = "angels-and-demons";
/// Rows and columns of the default board.
const SIDE: u32 = 8;
/// The most that the game allows: new matches would be measured too, and disturb.
const TURNS: u32 = 1000;

/// Plays so many matches at once; in each the seats move in turn, one call on its way.
pub(crate) async fn measure(server: &str, matches: u32, span: Span) -> Result<Figure> {
    let mut bots = JoinSet::new();
    for channel in channels(server, matches).await? {
        let mut bot = Bot { client: MatchServiceClient::new(channel) };
        bots.spawn(async move { bot.sit_down().await.map(|table| (bot, table)) });
    }
    let mut seated = Vec::new();
    while let Some(bot) = bots.join_next().await {
        seated.push(bot??);
    }
    let window = Window::from_now(span);
    let mut playing = JoinSet::new();
    for (bot, table) in seated {
        playing.spawn(bot.play(table, window));
    }
    let mut tally = Tally::default();
    while let Some(counted) = playing.join_next().await {
        tally = tally.with(counted??);
    }
    Ok(Figure::of(matches, &window, tally))
}

/// Plays both seats of one match.
struct Bot {
    client: MatchServiceClient<Channel>,
}

/// A match with both seats claimed.
struct Table {
    match_id: String,
    /// What proves each seat.
    authorizations: [MetadataValue<Ascii>; 2],
}

impl Bot {
    async fn play(mut self, mut table: Table, window: Window) -> Result<Tally> {
        let mut tally = Tally::default();
        loop {
            for _ in 0..TURNS {
                for authorization in &table.authorizations {
                    let asked = Instant::now();
                    if window.is_over(asked) {
                        return Ok(tally);
                    }
                    let events = self.submit(&table.match_id, authorization).await?;
                    tally.count(&window, asked, events);
                }
            }
            table = self.sit_down().await?;
        }
    }

    /// Makes a random move; how many events it brought.
    async fn submit(&mut self, match_id: &str, authorization: &MetadataValue<Ascii>) -> Result<usize> {
        let mut request = Request::new(v1::SubmitMoveRequest {
            match_id: match_id.to_owned(),
            input: Some(Input::Move(v1::Move {
                game: Some(v1::r#move::Game::AngelsAndDemons(black_space())),
            })),
            request_id: Some(Uuid::new_v4().to_string()),
            expected_seq: None,
        });
        request.metadata_mut().insert("authorization", authorization.clone());
        let answer = self.client.submit_move(request).await.context("a move was refused")?;
        Ok(answer.into_inner().events.len())
    }

    async fn sit_down(&mut self) -> Result<Table> {
        let options = game::Options { rows: Some(SIDE), cols: Some(SIDE), turns: Some(TURNS) };
        let request = v1::CreateMatchRequest {
            game: GAME.to_owned(),
            options: Some(v1::GameOptions { game: Some(v1::game_options::Game::AngelsAndDemons(options)) }),
            request_id: Some(Uuid::new_v4().to_string()),
            ..Default::default()
        };
        let created = self.client.create_match(request).await.context("a match was refused")?;
        let match_id = created.into_inner().r#match.context("an answer without its match")?.match_id;
        let authorizations =
            [self.claim(&match_id, Seat::Zero, "Ann").await?, self.claim(&match_id, Seat::One, "Ben").await?];
        Ok(Table { match_id, authorizations })
    }

    async fn claim(&mut self, match_id: &str, seat: Seat, name: &str) -> Result<MetadataValue<Ascii>> {
        let request = v1::ClaimSeatRequest {
            match_id: match_id.to_owned(),
            seat: seat.into(),
            player_name: name.to_owned(),
            request_id: Some(Uuid::new_v4().to_string()),
            ..Default::default()
        };
        let claimed = self.client.claim_seat(request).await.context("a claim was refused")?;
        Ok(format!("Bearer {}", claimed.into_inner().seat_token).parse()?)
    }
}

/// Any black space may be chosen in any turn (AD-4): its row and column add up to an even number (AD-2).
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
    fn every_black_space_of_the_board_is_chosen_and_no_other() {
        let chosen: BTreeSet<(u32, u32)> =
            (0..10_000).map(|_| black_space()).map(|m| (m.row, m.col)).collect();
        let board = (1..=SIDE).flat_map(|row| (1..=SIDE).map(move |col| (row, col)));
        assert_eq!(chosen, board.filter(|(row, col)| (row + col) % 2 == 0).collect());
    }
}
