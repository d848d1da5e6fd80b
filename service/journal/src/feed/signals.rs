//! Signals between the feed's readers and the writers of one replica.

use std::sync::Mutex;
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit, watch};
use tokio::time::Instant;

use crate::Hlc;
use crate::ids::ReplicaId;
use crate::store::WriterSnapshot;

/// Maximum number of concurrent feed reads. Many readers slow down each other, not the games that need the
/// other connections.
const CONCURRENT_READS: usize = 2;

/// The signals of one journal.
#[derive(Debug)]
pub(crate) struct FeedSignals {
    read_permits: Semaphore,
    new_commits: watch::Sender<()>,
    requests: watch::Sender<FrontierRequests>,
    last_request: Mutex<Option<Instant>>,
}

/// The commits that waiting readers request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FrontierRequests {
    /// A writer of this replica whose last `Hlc` is smaller commits an empty batch above it.
    pub(crate) own: Hlc,
    /// Whenever this grows, this replica requests the same from others.
    pub(crate) others: Hlc,
}

impl Default for FeedSignals {
    fn default() -> FeedSignals {
        FeedSignals {
            read_permits: Semaphore::new(CONCURRENT_READS),
            new_commits: watch::Sender::default(),
            requests: watch::Sender::default(),
            last_request: Mutex::default(),
        }
    }
}

impl FeedSignals {
    /// Waits for the permit to read from the database. The permit ends when it is dropped.
    pub(crate) async fn read_permit(&self) -> SemaphorePermit<'_> {
        self.read_permits.acquire().await.expect("nobody closes this semaphore")
    }

    /// Signals a commit of this replica or of another.
    pub(crate) fn committed(&self) {
        self.new_commits.send_replace(());
    }

    pub(crate) fn new_commits(&self) -> watch::Receiver<()> {
        self.new_commits.subscribe()
    }

    pub(crate) fn requests(&self) -> watch::Receiver<FrontierRequests> {
        self.requests.subscribe()
    }

    /// Passes on another replica's request that this replica's writers commit above `hlc`.
    pub(crate) fn requested_by_other(&self, hlc: Hlc) {
        self.requests.send_if_modified(|requests| {
            let grows = hlc > requests.own;
            requests.own = requests.own.max(hlc);
            grows
        });
    }

    /// Requests commits from the writers that hold the newest event above the frontier, at most once per
    /// `interval`.
    pub(crate) fn request_commits(&self, writers: &WriterSnapshot, own: ReplicaId, interval: Duration) {
        let mut last = self.last_request.lock().expect("no holder of this lock panics");
        if last.is_some_and(|at| at.elapsed() < interval) {
            return;
        }
        *last = Some(Instant::now());
        let newest = writers.newest_event;
        let others = writers.open.iter().any(|&(replica, hlc)| replica != own && hlc < newest);
        self.requests.send_modify(|requests| {
            requests.own = requests.own.max(newest);
            if others {
                // Always grow, so that a writer that missed a request gets another.
                requests.others = newest.max(requests.others.next());
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(open: &[(ReplicaId, i64)]) -> WriterSnapshot {
        let open = open.iter().map(|&(replica, hlc)| (replica, Hlc(hlc))).collect();
        WriterSnapshot { open, newest_commit: Hlc(9), newest_event: Hlc(9) }
    }

    #[tokio::test(start_paused = true)]
    async fn other_replicas_get_a_request_per_interval_if_they_lag() {
        let (signals, own, other) = (FeedSignals::default(), ReplicaId::generate(), ReplicaId::generate());
        let interval = Duration::from_millis(300);
        let requests = signals.requests();
        let requested = || (requests.borrow().own, requests.borrow().others);
        signals.request_commits(&snapshot(&[(own, 5), (own, 9), (other, 9)]), own, interval);
        assert_eq!(requested(), (Hlc(9), Hlc(0)));
        let lagging = snapshot(&[(own, 9), (other, 5)]);
        signals.request_commits(&lagging, own, interval);
        assert_eq!(requested(), (Hlc(9), Hlc(0)), "a request before the interval is over");
        tokio::time::advance(interval).await;
        signals.request_commits(&lagging, own, interval);
        assert_eq!(requested(), (Hlc(9), Hlc(9)));
        tokio::time::advance(interval).await;
        signals.request_commits(&lagging, own, interval);
        assert_eq!(requested(), (Hlc(9), Hlc(10)), "a missed request is not repeated");
        signals.requested_by_other(Hlc(8));
        assert_eq!(requested(), (Hlc(9), Hlc(10)));
        signals.requested_by_other(Hlc(20));
        assert_eq!(requested(), (Hlc(20), Hlc(10)));
    }
}
