//! How fast the tailer polls.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

use crate::JournalTiming;

/// A guard: while it lives, the journal polls for other replicas' commits at the fast interval.
#[derive(Debug)]
pub struct FastPolling(Arc<PollingDemand>);

/// The number of fast-polling guards, and a signal for the first one.
#[derive(Debug, Default)]
pub(crate) struct PollingDemand {
    count: AtomicUsize,
    first: Notify,
}

impl FastPolling {
    pub(crate) fn start(demand: &Arc<PollingDemand>) -> FastPolling {
        if demand.count.fetch_add(1, Ordering::Relaxed) == 0 {
            demand.first.notify_one();
        }
        FastPolling(demand.clone())
    }
}

impl Drop for FastPolling {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::Relaxed);
    }
}

impl PollingDemand {
    /// Sleeps until the next poll.
    pub(super) async fn pause(&self, timing: JournalTiming) {
        if self.count.load(Ordering::Relaxed) > 0 {
            return tokio::time::sleep(timing.fast_poll_interval).await;
        }
        let idle: Duration = timing.idle_poll_interval;
        tokio::select! {
            () = tokio::time::sleep(idle) => {}
            () = self.first.notified() => {}
        }
    }
}
