//! SIGINT and SIGTERM: the first stops the service gracefully, the second immediately.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The installed handlers of SIGINT and SIGTERM.
pub(crate) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    /// Installs the handlers.
    pub(crate) fn install() -> io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// Waits for the first signal. After that, another one exits the process immediately.
    pub(crate) async fn first(mut self) {
        let name = self.next().await.0;
        tracing::info!(signal = name, "stopping; repeat the signal to stop immediately");
        tokio::spawn(async move {
            let (name, number) = self.next().await;
            tracing::warn!(signal = name, "stopping immediately");
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
