//! Health checks: what a unary call costs here when the service has nothing to do for it.

use std::time::Instant;

use anyhow::{Context, Result};
use tokio::task::JoinSet;
use tonic::transport::Channel;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::connection::channels;
use crate::figure::Figure;
use crate::tally::Tally;
use crate::window::{Span, Window};

/// Calls `Check` with so many calls on their way.
pub(crate) async fn measure(server: &str, calls: u32, span: Span) -> Result<Figure> {
    let channels = channels(server, calls).await?;
    let window = Window::from_now(span);
    let mut callers = JoinSet::new();
    for channel in channels {
        callers.spawn(call(channel, window));
    }
    let mut tally = Tally::default();
    while let Some(counted) = callers.join_next().await {
        tally = tally.with(counted??);
    }
    Ok(Figure::of(calls, &window, tally))
}

async fn call(channel: Channel, window: Window) -> Result<Tally> {
    let mut client = HealthClient::new(channel);
    let mut tally = Tally::default();
    loop {
        let asked = Instant::now();
        if window.is_over(asked) {
            return Ok(tally);
        }
        client.check(HealthCheckRequest::default()).await.context("a health check failed")?;
        tally.count(&window, asked, 0);
    }
}
