//! The set of live matches. A match in use is never evicted, so that there is exactly one of it, with one
//! lock and one set of watchers. Unused matches stay while there is room in bytes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use event::MatchId;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use super::LiveMatch;
use super::weight::Weight;

/// Minimum bytes of a shard, if the cache is that large. A match that exceeds its shard is not cached.
const SHARD_BYTES: u64 = 64 << 20;

/// Maximum shards of the cache.
const MAX_SHARDS: u64 = 16;

/// Bytes of a typical match, for the size of the cache's tables.
const TYPICAL_BYTES: u64 = 16 << 10;

/// All live matches of this replica.
pub(super) struct Registry {
    /// Every match that anything refers to.
    alive: Arc<Alive>,
    /// Keeps the most recently used matches alive.
    cached: Cache<MatchId, CachedMatch, CachedWeight>,
}

/// A match in the cache, with what it weighed when it was put there.
#[derive(Clone)]
struct CachedMatch {
    live: Arc<LiveMatch>,
    weight: Weight,
}

/// Weighs the matches in the cache.
#[derive(Clone)]
struct CachedWeight;

impl Weighter<MatchId, CachedMatch> for CachedWeight {
    fn weight(&self, _: &MatchId, cached: &CachedMatch) -> u64 {
        cached.weight.0
    }
}

/// Weak references to the live matches, by id, and what they weigh together.
#[derive(Default)]
pub(super) struct Alive {
    matches: Mutex<HashMap<MatchId, Weak<LiveMatch>>>,
    bytes: AtomicU64,
}

impl Alive {
    fn lock(&self) -> MutexGuard<'_, HashMap<MatchId, Weak<LiveMatch>>> {
        self.matches.lock().expect("nothing panics while holding this lock")
    }

    /// Replaces the weight of a match in the sum.
    fn reweigh(&self, from: Weight, to: Weight) {
        // Wraps around on the way, but the sum of all weights never does.
        self.bytes.fetch_add(to.0.wrapping_sub(from.0), Ordering::Relaxed);
    }

    /// Removes the entry of a match that was dropped, and its weight.
    pub(super) fn remove_dead(&self, match_id: MatchId, weight: Weight) {
        self.reweigh(weight, Weight::default());
        let mut alive = self.lock();
        // A new live match of the same id may have been inserted since.
        if alive.get(&match_id).is_some_and(|live| live.strong_count() == 0) {
            alive.remove(&match_id);
        }
    }
}

impl Registry {
    pub(super) fn new(max_bytes: u64) -> Self {
        let shards = (max_bytes / SHARD_BYTES).clamp(1, MAX_SHARDS);
        let options = OptionsBuilder::new()
            .weight_capacity(max_bytes)
            .estimated_items_capacity(usize::try_from(max_bytes / TYPICAL_BYTES).unwrap_or(usize::MAX))
            .shards(usize::try_from(shards).unwrap_or(1))
            .build()
            .expect("both capacities are given");
        let (hasher, lifecycle) = (DefaultHashBuilder::default(), DefaultLifecycle::default());
        Self { alive: Arc::default(), cached: Cache::with_options(options, CachedWeight, hasher, lifecycle) }
    }

    /// Returns the live match of an id, inserting one that is not folded yet if there is none.
    pub(super) fn get_or_insert(&self, match_id: MatchId) -> Arc<LiveMatch> {
        if let Some(cached) = self.cached.get(&match_id) {
            return cached.live;
        }
        let mut alive = self.alive.lock();
        if let Some(live) = alive.get(&match_id).and_then(Weak::upgrade) {
            return live;
        }
        let live = Arc::new(LiveMatch::new(match_id, Arc::downgrade(&self.alive)));
        alive.insert(match_id, Arc::downgrade(&live));
        live
    }

    /// Weighs a folded match and caches it beyond the current call, with its weight of now.
    pub(super) fn cache(&self, live: &Arc<LiveMatch>) {
        let (before, weight) = live.weigh();
        if before != weight {
            self.alive.reweigh(before, weight);
        }
        let cached = self.cached.peek(&live.match_id);
        if cached.is_none_or(|cached| cached.weight.is_outdated(weight)) {
            self.cached.insert(live.match_id, CachedMatch { live: Arc::clone(live), weight });
        }
    }

    /// Returns the estimated bytes of all live matches.
    pub(super) fn bytes(&self) -> u64 {
        self.alive.bytes.load(Ordering::Relaxed)
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
        let registry = Registry::new(TYPICAL_BYTES);
        let used = registry.get_or_insert(id(1));
        registry.cache(&used);
        for other in 2..100 {
            registry.cache(&registry.get_or_insert(id(other)));
        }
        assert!(Arc::ptr_eq(&used, &registry.get_or_insert(id(1))));
    }

    #[test]
    fn a_match_that_is_neither_used_nor_cached_is_removed() {
        let registry = Registry::new(TYPICAL_BYTES);
        drop(registry.get_or_insert(id(1)));
        assert!(registry.find(id(1)).is_none());
        assert!(registry.alive.lock().is_empty());
    }
}
