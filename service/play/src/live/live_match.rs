//! One live match: its published head, its lock, and whether its head may be stale.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use event::{MatchId, Seat};
use tokio::sync::{Mutex, OnceCell, watch};

use super::LiveHead;
use super::registry::Alive;
use super::waiting::Waiting;
use super::weight::Weight;
use crate::stats::Lookup;

/// One match, folded on first use.
pub(crate) struct LiveMatch {
    pub match_id: MatchId,
    /// Held from judging a command until its events are published.
    pub match_lock: Arc<Mutex<()>>,
    pub(super) waiting: Waiting,
    head: OnceCell<watch::Sender<Arc<LiveHead>>>,
    /// Number of times the published head was found to be possibly behind the journal or on another history.
    invalidations: AtomicU64,
    /// Number of invalidations that a later fold has resolved.
    resolved: AtomicU64,
    spectators: AtomicU32,
    /// Estimated bytes when the match was last weighed.
    weight: AtomicU64,
    alive: Weak<Alive>,
}

/// A spectator's watch of a live match; counted until it is dropped.
pub(crate) struct Spectating(Arc<LiveMatch>);

/// A count of invalidations, taken before a fold. If the fold is abandoned, they remain unresolved.
#[derive(Clone, Copy)]
pub(crate) struct Invalidations(u64);

impl LiveMatch {
    pub(super) fn new(match_id: MatchId, alive: Weak<Alive>) -> Self {
        Self {
            match_id,
            match_lock: Arc::default(),
            waiting: Waiting::default(),
            head: OnceCell::new(),
            invalidations: AtomicU64::new(0),
            resolved: AtomicU64::new(0),
            spectators: AtomicU32::new(0),
            weight: AtomicU64::new(0),
            alive,
        }
    }

    /// Returns the published head, or `None` before the first fold.
    pub(crate) fn head(&self) -> Option<Arc<LiveHead>> {
        self.head.get().map(|head| Arc::clone(&head.borrow()))
    }

    pub(super) fn lookup(&self) -> Lookup {
        if self.head.initialized() { Lookup::Hit } else { Lookup::Miss }
    }

    /// Returns the published head; folds the match with `fold` first if that has not been done.
    pub(super) async fn head_or_fold<E>(
        &self,
        fold: impl Future<Output = Result<LiveHead, E>>,
    ) -> Result<Arc<LiveHead>, E> {
        let head = self
            .head
            .get_or_try_init(|| async { fold.await.map(|head| watch::Sender::new(Arc::new(head))) })
            .await?;
        Ok(Arc::clone(&head.borrow()))
    }

    /// Returns what the match weighed before and what it weighs now.
    pub(super) fn weigh(&self) -> (Weight, Weight) {
        let now = self.head().map_or(Weight::default(), |head| head.weight());
        (Weight(self.weight.swap(now.0, Ordering::Relaxed)), now)
    }

    /// Returns the estimated bytes when the match was last weighed.
    pub(super) fn bytes(&self) -> u64 {
        self.weight.load(Ordering::Relaxed)
    }

    /// Publishes a new head to all readers. Its events must be durable.
    pub(crate) fn publish(&self, head: Arc<LiveHead>) {
        if let Some(published) = self.head.get() {
            published.send_replace(head);
        }
    }

    /// Publishes the head without the player of a seat, who was erased, and returns it; `None` before the
    /// first fold. The caller must hold the match lock.
    pub(crate) fn publish_without_player(&self, seat: Seat) -> Option<Arc<LiveHead>> {
        let mut head = LiveHead::clone(&*self.head()?);
        head.registration.set_player(seat, None);
        let head = Arc::new(head);
        self.publish(Arc::clone(&head));
        Some(head)
    }

    /// Returns a receiver of published heads, or `None` before the first fold.
    pub(crate) fn subscribe(&self) -> Option<watch::Receiver<Arc<LiveHead>>> {
        self.head.get().map(watch::Sender::subscribe)
    }

    /// Counts a spectator's watch.
    pub(crate) fn spectate(self: &Arc<Self>) -> Spectating {
        self.spectators.fetch_add(1, Ordering::Relaxed);
        Spectating(Arc::clone(self))
    }

    /// Returns the number of open watches by spectators on this replica.
    pub(crate) fn spectator_count(&self) -> u32 {
        self.spectators.load(Ordering::Relaxed)
    }

    /// Marks the published head as stale: the log is folded again before the head is next trusted.
    pub(crate) fn invalidate(&self) {
        self.invalidations.fetch_add(1, Ordering::AcqRel);
    }

    /// Returns the invalidations so far, which a fold that begins now will resolve.
    pub(super) fn invalidations(&self) -> Invalidations {
        Invalidations(self.invalidations.load(Ordering::Acquire))
    }

    /// Records that a fold which began after these invalidations has been published.
    pub(super) fn resolve(&self, Invalidations(resolved): Invalidations) {
        self.resolved.fetch_max(resolved, Ordering::AcqRel);
    }

    /// Returns whether the log must be folded again before the head is trusted.
    pub(crate) fn is_stale(&self) -> bool {
        self.resolved.load(Ordering::Acquire) < self.invalidations.load(Ordering::Acquire)
    }
}

impl Drop for Spectating {
    fn drop(&mut self) {
        self.0.spectators.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for LiveMatch {
    fn drop(&mut self) {
        if let Some(alive) = self.alive.upgrade() {
            alive.remove_dead(self.match_id, Weight(self.bytes()));
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn only_a_fold_that_began_later_resolves_an_invalidation() {
        let live = LiveMatch::new(MatchId(Uuid::from_u128(1)), Weak::new());
        live.invalidate();
        let before_fold = live.invalidations();
        live.invalidate();
        live.resolve(before_fold);
        assert!(live.is_stale());
        live.resolve(live.invalidations());
        assert!(!live.is_stale());
    }
}
