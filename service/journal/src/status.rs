//! What the journal's tasks tell the rest of the process: empty the cache, or exit.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

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
    lanes_down: AtomicUsize,
}

/// As long as it lives, one lane has no connection.
pub(crate) struct LaneDown<'a>(&'a Status);

impl Status {
    pub(crate) fn new() -> Status {
        Status {
            stop: watch::Sender::new(None),
            resets: watch::Sender::new(0),
            lanes_down: AtomicUsize::new(0),
        }
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

    /// Why the replica stops, if it does.
    pub(crate) fn reason(&self) -> Option<StopReason> {
        self.stop.borrow().clone()
    }

    /// Says that a lane has lost its connection, until the guard is dropped.
    pub(crate) fn lane_is_down(&self) -> LaneDown<'_> {
        self.lanes_down.fetch_add(1, Ordering::Relaxed);
        LaneDown(self)
    }

    /// How many lanes have no connection.
    pub(crate) fn lanes_down(&self) -> usize {
        self.lanes_down.load(Ordering::Relaxed)
    }

    /// Tells whoever caches live matches to forget them.
    pub(crate) fn reset(&self) {
        self.resets.send_modify(|count| *count += 1);
    }

    pub(crate) fn resets(&self) -> watch::Receiver<u64> {
        self.resets.subscribe()
    }
}

impl Drop for LaneDown<'_> {
    fn drop(&mut self) {
        self.0.lanes_down.fetch_sub(1, Ordering::Relaxed);
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
