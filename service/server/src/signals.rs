//! The signals that ask the service to stop: the first politely, the second at once.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGINT and SIGTERM, caught from now on.
pub struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    /// Begins to catch them.
    pub fn catch() -> io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// Waits for the first of them. From then on another one ends the process where it stands.
    pub async fn first(mut self) {
        let name = self.next().await.0;
        tracing::info!(signal = name, "asked to stop; a second time stops at once");
        tokio::spawn(async move {
            let (name, number) = self.next().await;
            tracing::warn!(signal = name, "stopped at once");
            std::process::exit(128 + number);
        });
    }

    async fn next(&mut self) -> (&'static str, i32) {
        tokio::select! {
            _ = self.interrupt.recv() => ("SIGINT", SignalKind::interrupt().as_raw_value()),
            _ = self.terminate.recv() => ("SIGTERM", SignalKind::terminate().as_raw_value()),
        }
    }
}
