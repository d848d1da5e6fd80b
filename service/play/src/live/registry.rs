//! The set of live matches. A match in use is never evicted, so that there is exactly one of it, with one
//! lock and one set of watchers. Unused matches stay while there is room.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use event::MatchId;
use quick_cache::sync::Cache;

use super::LiveMatch;

/// All live matches of this replica.
pub(super) struct Registry {
    /// Every match that anything refers to.
    alive: Arc<Alive>,
    /// Keeps the most recently used matches alive.
    cached: Cache<MatchId, Arc<LiveMatch>>,
}

/// Weak references to the live matches, by id.
#[derive(Default)]
pub(super) struct Alive(Mutex<HashMap<MatchId, Weak<LiveMatch>>>);

impl Alive {
    fn lock(&self) -> MutexGuard<'_, HashMap<MatchId, Weak<LiveMatch>>> {
        self.0.lock().expect("nothing panics while holding this lock")
    }

    /// Removes the entry of a match that was dropped.
    pub(super) fn remove_dead(&self, match_id: MatchId) {
        let mut alive = self.lock();
        // A new live match of the same id may have been inserted since.
        if alive.get(&match_id).is_some_and(|live| live.strong_count() == 0) {
            alive.remove(&match_id);
        }
    }
}

impl Registry {
    pub(super) fn new(capacity: usize) -> Self {
        Self { alive: Arc::default(), cached: Cache::new(capacity) }
    }

    /// Returns the live match of an id, inserting one that is not folded yet if there is none.
    pub(super) fn get_or_insert(&self, match_id: MatchId) -> Arc<LiveMatch> {
        if let Some(live) = self.cached.get(&match_id) {
            return live;
        }
        let mut alive = self.alive.lock();
        if let Some(live) = alive.get(&match_id).and_then(Weak::upgrade) {
            return live;
        }
        let live = Arc::new(LiveMatch::new(match_id, Arc::downgrade(&self.alive)));
        alive.insert(match_id, Arc::downgrade(&live));
        live
    }

    /// Caches a folded match beyond the current call.
    pub(super) fn cache(&self, live: &Arc<LiveMatch>) {
        if self.cached.peek(&live.match_id).is_none() {
            self.cached.insert(live.match_id, Arc::clone(live));
        }
    }

    /// Returns a match if it is live.
    pub(super) fn find(&self, match_id: MatchId) -> Option<Arc<LiveMatch>> {
        self.alive.lock().get(&match_id).and_then(Weak::upgrade)
    }

    pub(super) fn count(&self) -> usize {
        self.alive.lock().len()
    }

    pub(super) fn all(&self) -> Vec<Arc<LiveMatch>> {
        self.alive.lock().values().filter_map(Weak::upgrade).collect()
    }

    /// Marks every match as stale and empties the cache.
    pub(super) fn invalidate_all(&self) {
        self.cached.clear();
        for live in self.all() {
            live.invalidate();
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> MatchId {
        MatchId(Uuid::from_u128(number))
    }

    #[test]
    fn a_match_in_use_is_unique_however_small_the_cache() {
        let registry = Registry::new(1);
        let used = registry.get_or_insert(id(1));
        registry.cache(&used);
        for other in 2..100 {
            registry.cache(&registry.get_or_insert(id(other)));
        }
        assert!(Arc::ptr_eq(&used, &registry.get_or_insert(id(1))));
    }

    #[test]
    fn a_match_that_is_neither_used_nor_cached_is_removed() {
        let registry = Registry::new(1);
        drop(registry.get_or_insert(id(1)));
        assert!(registry.find(id(1)).is_none());
        assert!(registry.alive.lock().is_empty());
    }
}
