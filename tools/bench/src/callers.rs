//! Clients of concurrent callers. Some share a connection, as they do behind an app's backend.

use anyhow::Result;
use matchbook_client::{Client, MoveStream, RetryPolicy};

const CALLERS_PER_CONNECTION: u32 = 16;

/// A caller's client, and the stream of moves that the callers of its connection share.
#[derive(Clone)]
pub(crate) struct BenchCaller {
    pub(crate) client: Client,
    pub(crate) moves: MoveStream,
}

/// Returns one client per caller. They never retry: a failed call fails the measurement.
pub(crate) async fn connect(server: &str, callers: u32) -> Result<Vec<BenchCaller>> {
    let mut clients: Vec<BenchCaller> = Vec::new();
    for caller in 0..callers {
        let client = match clients.last() {
            Some(shared) if caller % CALLERS_PER_CONNECTION != 0 => shared.clone(),
            _ => {
                let client = Client::builder(server).retry(RetryPolicy::none()).connect().await?;
                BenchCaller { moves: client.move_stream(), client }
            }
        };
        clients.push(client);
    }
    Ok(clients)
}
