//! Watches a match until it is over: `watch_match MATCH [SERVER]`. It survives restarts of the service.

use std::env;
use std::error::Error;

use matchbook_client::Client;
use matchbook_client::v1::Event;
use matchbook_client::v1::event::Kind;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let match_id = env::args().nth(1).ok_or("usage: watch_match MATCH [SERVER]")?;
    let server = env::args().nth(2).unwrap_or_else(|| "127.0.0.1:7420".to_owned());
    let client = Client::connect(&server).await?;
    let mut watch = client.watch(match_id).after(0);
    while let Some(event) = watch.next_event().await? {
        println!("{} {}", event.seq, description(&event));
    }
    Ok(())
}

fn description(event: &Event) -> String {
    match &event.kind {
        Some(Kind::MatchCreated(_)) => "the match was created".to_owned(),
        Some(Kind::SeatClaimed(claimed)) => {
            let name = claimed.player.as_ref().map_or("", |player| player.display_name.as_str());
            format!("{name} took seat {}", claimed.seat.unwrap_or_default())
        }
        Some(Kind::MoveMade(made)) => {
            format!("seat {} played {}", made.seat.unwrap_or_default(), made.notation)
        }
        Some(Kind::MoveSealed(sealed)) => format!("seat {} has chosen", sealed.seat.unwrap_or_default()),
        Some(Kind::MatchEnded(ended)) => {
            let result = ended.result.clone().unwrap_or_default();
            format!("the match is over: {}", result.reason)
        }
        Some(_) => "something else happened".to_owned(),
        None => "something happened that this build does not know".to_owned(),
    }
}
