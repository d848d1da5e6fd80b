//! Plays both seats of a match with simultaneous turns, each in a task of its own: `two_bots [SERVER]`.

use std::env;
use std::error::Error;

use futures_util::TryStreamExt as _;
use matchbook_client::v1::{ErrorReason, MatchStatus, Strategy};
use matchbook_client::{Client, SeatClient};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7420".to_owned());
    let client = Client::connect(&server).await?;
    let game = client.new_match("angels-and-demons").await?;
    let angels = tokio::spawn(play(game.claim(0, "Gabriel").await?));
    let demons = tokio::spawn(play(game.claim(1, "Lilith").await?));
    let moves = (angels.await??, demons.await??);
    let result = game.view().await?.view.unwrap_or_default().result.unwrap_or_default();
    println!("{} and {} moves; winner: {:?}", moves.0, moves.1, result.winner());
    Ok(())
}

/// Moves whenever the seat is to act, until the match is over. Returns the number of moves.
async fn play(seat: SeatClient) -> Result<u32, matchbook_client::Error> {
    let mut moves = 0;
    // Each frame comes with the position, so that no other call is needed to know whose turn it is.
    let mut watch = seat.watch().with_views();
    while let Some(frame) = watch.try_next().await? {
        let Some(view) = frame.view else { continue };
        let is_to_act = view.viewing_seat().is_some_and(|own| view.to_act.contains(&own));
        if !is_to_act || view.status() == MatchStatus::Over {
            continue;
        }
        match make_move(&seat).await {
            Ok(()) => moves += 1,
            // The frame was older than the position: a later one says whether the seat is to act.
            Err(error) if error.is(ErrorReason::NotYourTurn) || error.is(ErrorReason::MatchOver) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(moves)
}

async fn make_move(seat: &SeatClient) -> Result<(), matchbook_client::Error> {
    loop {
        match seat.play(seat.suggest(Strategy::Greedy).await?).await {
            // The other seat chose in between; its choice changes nothing for this one.
            Err(error) if error.is(ErrorReason::StalePosition) => {}
            answer => return answer.map(drop),
        }
    }
}
