//! Which matches are live. A match in use is never dropped, so there is only ever
//! one of it, with one lock and one set of watchers; the rest stay while there is
//! room.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use quick_cache::sync::Cache;
use tokio::sync::{OnceCell, watch};
use uuid::Uuid;

use super::Head;
use crate::stats::Lookup;

/// All live matches of this replica.
pub(crate) struct Registry {
    /// Everything alive, whoever keeps it so.
    alive: Arc<Alive>,
    /// Keeps the most recently used alive.
    kept: Cache<Uuid, Arc<LiveMatch>>,
}

#[derive(Default)]
struct Alive(Mutex<HashMap<Uuid, Weak<LiveMatch>>>);

impl Alive {
    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, Weak<LiveMatch>>> {
        self.0.lock().expect("nothing panics while holding this lock")
    }
}

/// One match, folded.
pub(crate) struct LiveMatch {
    pub match_id: Uuid,
    /// Held from judging a call to publishing what came of it.
    pub turn: tokio::sync::Mutex<()>,
    head: OnceCell<watch::Sender<Arc<Head>>>,
    /// How often there was reason to think that what is published is behind the
    /// journal, or of another history.
    doubts: AtomicU64,
    /// How many of these a fold has answered that began after them.
    settled_doubts: AtomicU64,
    alive: Weak<Alive>,
}

impl Registry {
    pub(crate) fn new(kept: usize) -> Self {
        Self { alive: Arc::default(), kept: Cache::new(kept) }
    }

    /// The live match of an id, folded or not yet.
    pub(crate) fn enter(&self, match_id: Uuid) -> Arc<LiveMatch> {
        if let Some(live) = self.kept.get(&match_id) {
            return live;
        }
        let mut alive = self.alive.lock();
        if let Some(live) = alive.get(&match_id).and_then(Weak::upgrade) {
            return live;
        }
        let live = Arc::new(LiveMatch {
            match_id,
            turn: tokio::sync::Mutex::default(),
            head: OnceCell::new(),
            doubts: AtomicU64::new(0),
            settled_doubts: AtomicU64::new(0),
            alive: Arc::downgrade(&self.alive),
        });
        alive.insert(match_id, Arc::downgrade(&live));
        live
    }

    /// Keeps a folded match beyond this call.
    pub(crate) fn keep(&self, live: &Arc<LiveMatch>) {
        if self.kept.peek(&live.match_id).is_none() {
            self.kept.insert(live.match_id, Arc::clone(live));
        }
    }

    /// A match if it is live.
    pub(crate) fn find(&self, match_id: Uuid) -> Option<Arc<LiveMatch>> {
        self.alive.lock().get(&match_id).and_then(Weak::upgrade)
    }

    /// How many matches are live.
    pub(crate) fn count(&self) -> usize {
        self.alive.lock().len()
    }

    /// Every live match.
    pub(crate) fn all(&self) -> Vec<Arc<LiveMatch>> {
        self.alive.lock().values().filter_map(Weak::upgrade).collect()
    }

    /// Believes nothing any more: every match is folded again before its next use.
    pub(crate) fn doubt_all(&self) {
        self.kept.clear();
        for live in self.all() {
            live.doubt();
        }
    }
}

impl LiveMatch {
    /// What is published, if the match has been folded.
    pub(crate) fn head(&self) -> Option<Arc<Head>> {
        self.head.get().map(|head| Arc::clone(&head.borrow()))
    }

    /// Whether it has been folded yet.
    pub(crate) fn lookup(&self) -> Lookup {
        if self.head.initialized() { Lookup::Hit } else { Lookup::Miss }
    }

    /// What is published; the match is folded with `fold` if it has not been.
    pub(crate) async fn head_or_fold<E>(
        &self,
        fold: impl Future<Output = Result<Head, E>>,
    ) -> Result<Arc<Head>, E> {
        let head = self
            .head
            .get_or_try_init(|| async { fold.await.map(|head| watch::Sender::new(Arc::new(head))) })
            .await?;
        Ok(Arc::clone(&head.borrow()))
    }

    /// Shows a new head to everybody. Its events must be durable.
    pub(crate) fn publish(&self, head: Arc<Head>) {
        if let Some(published) = self.head.get() {
            published.send_replace(head);
        }
    }

    /// Wakes up whenever a head is published; none before the match is folded.
    pub(crate) fn follow(&self) -> Option<watch::Receiver<Arc<Head>>> {
        self.head.get().map(watch::Sender::subscribe)
    }

    /// The published head may be wrong from now on, until the log is folded again.
    pub(crate) fn doubt(&self) {
        self.doubts.fetch_add(1, Ordering::AcqRel);
    }

    /// The doubts so far: what a fold that begins now will have answered.
    pub(crate) fn doubts(&self) -> Doubts {
        Doubts(self.doubts.load(Ordering::Acquire))
    }

    /// A fold that began after these doubts has been published.
    pub(crate) fn settle(&self, Doubts(answered): Doubts) {
        self.settled_doubts.fetch_max(answered, Ordering::AcqRel);
    }

    /// Whether the log must be folded before the head is believed.
    pub(crate) fn is_doubtful(&self) -> bool {
        self.settled_doubts.load(Ordering::Acquire) < self.doubts.load(Ordering::Acquire)
    }
}

/// A count of doubts, taken before a fold. Should the fold be given up half-way,
/// they are still there.
#[derive(Clone, Copy)]
pub(crate) struct Doubts(u64);

impl Drop for LiveMatch {
    fn drop(&mut self) {
        let Some(alive) = self.alive.upgrade() else { return };
        let mut alive = alive.lock();
        // A new one of the same id may have been entered meanwhile.
        if alive.get(&self.match_id).is_some_and(|live| live.strong_count() == 0) {
            alive.remove(&self.match_id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_in_use_is_never_doubled_however_small_the_cache() {
        let registry = Registry::new(1);
        let used = registry.enter(Uuid::from_u128(1));
        registry.keep(&used);
        for other in 2..100 {
            registry.keep(&registry.enter(Uuid::from_u128(other)));
        }
        assert!(Arc::ptr_eq(&used, &registry.enter(Uuid::from_u128(1))));
    }

    #[test]
    fn a_doubt_is_settled_only_by_a_fold_that_began_after_it() {
        let live = Registry::new(1).enter(Uuid::from_u128(1));
        live.doubt();
        let began = live.doubts();
        live.doubt();
        live.settle(began);
        assert!(live.is_doubtful());
        live.settle(live.doubts());
        assert!(!live.is_doubtful());
    }

    #[test]
    fn what_nobody_uses_or_keeps_is_forgotten() {
        let registry = Registry::new(1);
        drop(registry.enter(Uuid::from_u128(1)));
        assert!(registry.find(Uuid::from_u128(1)).is_none());
        assert!(registry.alive.lock().is_empty());
    }
}
