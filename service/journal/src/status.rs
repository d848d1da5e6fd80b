//! What the journal's tasks tell the rest of the process: empty the cache, or exit.

use std::sync::Arc;

use tokio::sync::watch;

use crate::context::Context;

/// Why this replica must exit. Nothing that it holds in memory may be believed any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StopReason {
    /// The database has not what it acknowledged to this replica: it was restored or has failed over with a loss.
    #[error("the database lost commits that it had acknowledged; this replica stands before another history")]
    AnotherHistory,
    /// Another replica took this one for dead and closed its lane.
    #[error("another replica closed this one's lane after a silence")]
    Fenced,
    /// The database was bound to another service key, so that what this replica signs and grants is not the service's.
    #[error("the service key of this database was changed")]
    KeyChanged,
    /// A task of the journal has panicked.
    #[error("a task of the journal has failed")]
    TaskFailed,
}

/// The senders of both signals, shared by all tasks of a journal.
#[derive(Debug)]
pub(crate) struct Status {
    stop: watch::Sender<Option<StopReason>>,
    resets: watch::Sender<u64>,
}

impl Status {
    pub(crate) fn new() -> Status {
        Status { stop: watch::Sender::new(None), resets: watch::Sender::new(0) }
    }

    /// Stops the replica; the first reason stays.
    pub(crate) fn stop(&self, reason: StopReason) {
        self.stop.send_if_modified(|current| {
            let first = current.is_none();
            if first {
                tracing::error!(%reason, "the journal stops");
                *current = Some(reason);
            }
            first
        });
    }

    pub(crate) fn stopped(&self) -> watch::Receiver<Option<StopReason>> {
        self.stop.subscribe()
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.borrow().is_some()
    }

    /// Tells whoever caches live matches to forget them.
    pub(crate) fn reset(&self) {
        self.resets.send_modify(|count| *count += 1);
    }

    pub(crate) fn resets(&self) -> watch::Receiver<u64> {
        self.resets.subscribe()
    }
}

/// Stops the replica when a task that holds it panics, so that no task dies unnoticed.
pub(crate) struct PanicAlarm(pub(crate) Arc<Context>);

impl Drop for PanicAlarm {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.status.stop(StopReason::TaskFailed);
        }
    }
}
