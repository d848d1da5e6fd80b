//! What the feed's readers and the lanes of one replica tell each other.

use std::sync::Mutex;
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit, watch};
use tokio::time::Instant;

use super::LanesSeen;
use crate::Clock;
use crate::ids::ReplicaId;

/// How many readers of the feed read at a time. A crowd of them slows down itself, and leaves the database's other
/// connections to those who play.
const READERS_AT_ONCE: usize = 2;

/// The signals, shared by all tasks of a journal.
#[derive(Debug)]
pub(crate) struct Signals {
    turns: Semaphore,
    news: watch::Sender<()>,
    wanted: watch::Sender<Wanted>,
    asked: Mutex<Option<Instant>>,
}

/// Up to where waiting readers want lanes to come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// A lane of this replica whose last clock is smaller writes an empty commit above it.
    pub(crate) own: Clock,
    /// The same is asked of other replicas whenever this grows.
    pub(crate) others: Clock,
}

impl Default for Signals {
    fn default() -> Signals {
        Signals {
            turns: Semaphore::new(READERS_AT_ONCE),
            news: watch::Sender::default(),
            wanted: watch::Sender::default(),
            asked: Mutex::default(),
        }
    }
}

impl Signals {
    /// Waits until a reader may ask the database; it may until this is dropped.
    pub(crate) async fn turn_to_read(&self) -> SemaphorePermit<'_> {
        self.turns.acquire().await.expect("nobody closes this semaphore")
    }

    /// Says that something was committed, here or elsewhere.
    pub(crate) fn tell(&self) {
        self.news.send_replace(());
    }

    pub(crate) fn heard(&self) -> watch::Receiver<()> {
        self.news.subscribe()
    }

    pub(crate) fn wanted(&self) -> watch::Receiver<Wanted> {
        self.wanted.subscribe()
    }

    /// Another replica's reader wants this one's lanes to come so far.
    pub(crate) fn asked_by_another(&self, clock: Clock) {
        self.wanted.send_if_modified(|wanted| {
            let grows = clock > wanted.own;
            wanted.own = wanted.own.max(clock);
            grows
        });
    }

    /// Asks the lanes that keep the newest event above the frontier, but not more often than every `pause`.
    pub(crate) fn ask(&self, lanes: &LanesSeen, own: ReplicaId, pause: Duration) {
        let mut asked = self.asked.lock().expect("no holder of this lock panics");
        if asked.is_some_and(|at| at.elapsed() < pause) {
            return;
        }
        *asked = Some(Instant::now());
        let newest = lanes.newest_event;
        let others = lanes.open.iter().any(|&(replica, clock)| replica != own && clock < newest);
        self.wanted.send_modify(|wanted| {
            wanted.own = wanted.own.max(newest);
            if others {
                // Always larger than before, or what an ask missed would never be asked for again.
                wanted.others = Clock(newest.0.max(wanted.others.0 + 1));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(open: &[(ReplicaId, i64)]) -> LanesSeen {
        let open = open.iter().map(|&(replica, clock)| (replica, Clock(clock))).collect();
        LanesSeen { open, newest_commit: Clock(9), newest_event: Clock(9) }
    }

    #[tokio::test(start_paused = true)]
    async fn others_are_asked_again_after_a_pause_and_only_if_they_are_behind() {
        let (signals, own, other) = (Signals::default(), ReplicaId::mint(), ReplicaId::mint());
        let pause = Duration::from_millis(300);
        let wanted = signals.wanted();
        let shown = || (wanted.borrow().own, wanted.borrow().others);
        signals.ask(&seen(&[(own, 5), (own, 9), (other, 9)]), own, pause);
        assert_eq!(shown(), (Clock(9), Clock(0)));
        let behind = seen(&[(own, 9), (other, 5)]);
        signals.ask(&behind, own, pause);
        assert_eq!(shown(), (Clock(9), Clock(0)), "too early");
        tokio::time::advance(pause).await;
        signals.ask(&behind, own, pause);
        assert_eq!(shown(), (Clock(9), Clock(9)));
        tokio::time::advance(pause).await;
        signals.ask(&behind, own, pause);
        assert_eq!(shown(), (Clock(9), Clock(10)), "what was missed is asked for again");
        signals.asked_by_another(Clock(8));
        assert_eq!(shown(), (Clock(9), Clock(10)));
        signals.asked_by_another(Clock(20));
        assert_eq!(shown(), (Clock(20), Clock(10)));
    }
}
