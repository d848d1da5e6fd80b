//! Clients of concurrent callers. Some share a connection, as they do behind an app's backend.

use anyhow::Result;
use matchbook_client::{Client, RetryPolicy};

const CALLERS_PER_CONNECTION: u32 = 16;

/// Returns one client per caller. They never retry: a failed call fails the measurement.
pub(crate) async fn connect(server: &str, callers: u32) -> Result<Vec<Client>> {
    let mut clients: Vec<Client> = Vec::new();
    for caller in 0..callers {
        let client = match clients.last() {
            Some(shared) if caller % CALLERS_PER_CONNECTION != 0 => shared.clone(),
            _ => Client::builder(server).retry(RetryPolicy::none()).connect().await?,
        };
        clients.push(client);
    }
    Ok(clients)
}
