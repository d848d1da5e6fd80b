//! Prints the events of all matches up to now: `follow_feed CURSOR_FILE [SERVER] [API_KEY]`.
//!
//! It goes on where its last run ended, since it keeps its cursor in a file. Without `until_caught_up` it
//! would follow the feed until it is stopped.

use std::env;
use std::error::Error;
use std::fs;

use matchbook_client::Client;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let cursor_file = env::args().nth(1).ok_or("usage: follow_feed CURSOR_FILE [SERVER] [API_KEY]")?;
    let server = env::args().nth(2).unwrap_or_else(|| "127.0.0.1:7420".to_owned());
    let mut client = Client::connect(&server).await?;
    if let Some(api_key) = env::args().nth(3) {
        client = client.with_api_key(&api_key)?;
    }
    // No file yet: from the first event.
    let cursor = fs::read_to_string(&cursor_file).unwrap_or_default();
    let mut feed = client.feed().after(cursor).until_caught_up();
    while let Some(received) = feed.next_event().await? {
        let seq = received.event.map_or(0, |event| event.seq);
        println!("{} {seq}", received.match_id);
        // After the event was handled: a crash repeats it, and never skips it.
        fs::write(&cursor_file, feed.cursor())?;
    }
    Ok(())
}
