//! Health checks: the cost of a unary call for which the service does no work.

use std::time::Instant;

use anyhow::{Context, Result};
use matchbook_client::Client;
use tokio::task::JoinSet;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::callers::connect;
use crate::figure::Figure;
use crate::samples::Samples;
use crate::window::{Phases, Window};

/// Measures `Check` with this many concurrent calls.
pub(crate) async fn measure(server: &str, calls: u32, phases: Phases) -> Result<Figure> {
    let clients = connect(server, calls).await?;
    let window = Window::from_now(phases);
    let mut callers = JoinSet::new();
    for caller in clients {
        callers.spawn(call(caller.client, window));
    }
    let mut samples = Samples::default();
    while let Some(sampled) = callers.join_next().await {
        samples = samples.merge(sampled??);
    }
    Ok(Figure::of(calls, &window, samples))
}

async fn call(client: Client, window: Window) -> Result<Samples> {
    let mut health = HealthClient::new(client.channel());
    let mut samples = Samples::default();
    loop {
        let sent = Instant::now();
        if window.is_over(sent) {
            return Ok(samples);
        }
        health.check(HealthCheckRequest::default()).await.context("a health check failed")?;
        samples.add(&window, sent, 0);
    }
}
