//! Flushes telemetry at shutdown without waiting long for an unresponsive collector.

use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

/// Longest time that shutdown waits for a collector, per pipeline.
pub(crate) const FLUSH_TIMEOUT: Duration = Duration::from_secs(3);

/// Runs a blocking flush in a thread of its own, and stops waiting for it after `FLUSH_TIMEOUT`.
pub(crate) async fn flush(work: impl FnOnce() + Send + 'static) {
    let (done, finished) = oneshot::channel();
    thread::spawn(move || {
        work();
        // The receiver is gone after a timeout.
        let _ = done.send(());
    });
    if timeout(FLUSH_TIMEOUT, finished).await.is_err() {
        tracing::warn!("the collector did not accept the remaining telemetry in time");
    }
}
