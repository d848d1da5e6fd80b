//! The signals between a journal's tasks and the rest of the process: close, stop the replica, invalidate
//! caches.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, DropGuard, WaitForCancellationFuture};

/// Why this replica must exit. Nothing that it holds in memory is trustworthy any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StopReason {
    /// The database lost or replaced a batch it had acknowledged: it was restored, or has failed over with a
    /// loss.
    #[error("the database lost or replaced commits that it had acknowledged")]
    HistoryChanged,
    /// Another replica took this one for dead and closed its writer.
    #[error(
        "a writer of this replica was closed, because it was silent for too long or by `matchbookd key \
         rotate --fence`"
    )]
    Fenced,
    /// The database was bound to another service key, so this replica signs and grants with the wrong one.
    #[error("the database was bound to another service key")]
    KeyChanged,
    /// A task of the journal has panicked.
    #[error("a task of the journal panicked")]
    TaskPanicked,
}

/// The signals of one journal; cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Lifecycle(Arc<Signals>);

#[derive(Debug)]
struct Signals {
    stop: watch::Sender<Option<StopReason>>,
    invalidations: watch::Sender<u64>,
    /// Writers without a connection.
    disconnected: AtomicUsize,
    /// Cancelled when the journal is closed or its last handle is dropped.
    closing: CancellationToken,
}

/// Counts one writer as disconnected until it is dropped.
pub(crate) struct Disconnected(Lifecycle);

impl Lifecycle {
    pub(crate) fn new() -> Lifecycle {
        Lifecycle(Arc::new(Signals {
            stop: watch::Sender::new(None),
            invalidations: watch::Sender::new(0),
            disconnected: AtomicUsize::new(0),
            closing: CancellationToken::new(),
        }))
    }

    /// Stops the replica. The first reason wins.
    pub(crate) fn stop(&self, reason: StopReason) {
        self.0.stop.send_if_modified(|current| {
            let first = current.is_none();
            if first {
                tracing::error!(%reason, "the journal stops this replica");
                *current = Some(reason);
            }
            first
        });
    }

    pub(crate) fn stop_signal(&self) -> watch::Receiver<Option<StopReason>> {
        self.0.stop.subscribe()
    }

    /// Returns why the replica stops, if it does.
    pub(crate) fn stop_reason(&self) -> Option<StopReason> {
        self.0.stop.borrow().clone()
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.0.stop.borrow().is_some()
    }

    /// Counts a writer as disconnected until the guard is dropped.
    pub(crate) fn disconnected(&self) -> Disconnected {
        self.0.disconnected.fetch_add(1, Ordering::Relaxed);
        Disconnected(self.clone())
    }

    /// Returns how many writers have no connection.
    pub(crate) fn disconnected_writers(&self) -> usize {
        self.0.disconnected.load(Ordering::Relaxed)
    }

    /// Tells every cache of log data to reload.
    pub(crate) fn invalidate(&self) {
        self.0.invalidations.send_modify(|count| *count += 1);
    }

    pub(crate) fn invalidations(&self) -> watch::Receiver<u64> {
        self.0.invalidations.subscribe()
    }

    /// Tells every task to end.
    pub(crate) fn close(&self) {
        self.0.closing.cancel();
    }

    /// Closes when the guard is dropped.
    pub(crate) fn close_on_drop(&self) -> DropGuard {
        self.0.closing.clone().drop_guard()
    }

    /// Resolves when the journal closes.
    pub(crate) fn closing(&self) -> WaitForCancellationFuture<'_> {
        self.0.closing.cancelled()
    }

    /// Awaits `work`. Returns `None` if the journal closes before it is done.
    pub(crate) async fn until_closing<F: Future>(&self, work: F) -> Option<F::Output> {
        self.0.closing.run_until_cancelled(work).await
    }

    /// Sleeps. Returns false if the journal closes meanwhile.
    pub(crate) async fn sleep(&self, duration: Duration) -> bool {
        self.until_closing(tokio::time::sleep(duration)).await.is_some()
    }

    /// Stops the replica if the task that holds the guard panics, so that no task dies unnoticed.
    pub(crate) fn stop_on_panic(&self) -> StopOnPanic {
        StopOnPanic(self.clone())
    }
}

impl Drop for Disconnected {
    fn drop(&mut self) {
        self.0.0.disconnected.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Guard of `Lifecycle::stop_on_panic`.
pub(crate) struct StopOnPanic(Lifecycle);

impl Drop for StopOnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop(StopReason::TaskPanicked);
        }
    }
}
