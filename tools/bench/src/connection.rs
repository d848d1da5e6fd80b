//! Connections to the service: several callers share one, as they do behind an app's backend.

use anyhow::{Context, Result};
use tonic::transport::{Channel, Endpoint};

/// Callers on one connection.
const CALLERS: u32 = 16;

/// One channel a caller.
pub(crate) async fn channels(server: &str, callers: u32) -> Result<Vec<Channel>> {
    let endpoint =
        Endpoint::from_shared(server.to_owned()).with_context(|| format!("no address: {server}"))?;
    let mut channels = Vec::new();
    for caller in 0..callers {
        let channel = match channels.last() {
            Some(shared) if caller % CALLERS != 0 => Channel::clone(shared),
            _ => endpoint.connect().await.with_context(|| format!("no service at {server}"))?,
        };
        channels.push(channel);
    }
    Ok(channels)
}
