//! Plays a whole match against the service's bot: `play_greedy [SERVER] [GAME]`.
//!
//! This program moves at random from the list of legal moves, the bot by the strategy GREEDY.

use std::env;
use std::error::Error;

use matchbook_client::v1::{ErrorReason, MatchStatus, Strategy, SubmitMoveResponse};
use matchbook_client::{Client, SeatClient};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7420".to_owned());
    let game_id = env::args().nth(2).unwrap_or_else(|| "ludus-magus".to_owned());
    let client = Client::connect(&server).await?;
    let game = client.new_match(game_id.as_str()).await?;
    let you = game.claim(0, "Random").await?;
    let bot = game.claim(1, "Greedy").await?;
    println!("match {}", game.match_id());
    loop {
        for seat in [&you, &bot] {
            if !is_to_act(seat).await? {
                continue;
            }
            let strategy = if seat.token() == bot.token() { Strategy::Greedy } else { Strategy::Random };
            let chosen = seat.suggest(strategy).await?;
            match seat.play(&chosen).await {
                Ok(played) if is_over(&played) => return print_result(&played),
                Ok(_) => println!("{}", chosen.notation),
                // A clock or the other seat was faster.
                Err(error) if error.is(ErrorReason::StalePosition) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

async fn is_to_act(seat: &SeatClient) -> Result<bool, matchbook_client::Error> {
    let view = seat.view().await?.view.unwrap_or_default();
    Ok(view.viewing_seat().is_some_and(|own| view.to_act.contains(&own)))
}

fn is_over(played: &SubmitMoveResponse) -> bool {
    played.view.as_ref().is_some_and(|view| view.status() == MatchStatus::Over)
}

fn print_result(played: &SubmitMoveResponse) -> Result<(), Box<dyn Error>> {
    let result =
        played.view.as_ref().and_then(|view| view.result.as_ref()).ok_or("a match over has a result")?;
    match result.winner() {
        Some(0) => println!("you won: {}", result.reason),
        Some(_) => println!("the bot won: {}", result.reason),
        None => println!("nobody won: {}", result.reason),
    }
    Ok(())
}
