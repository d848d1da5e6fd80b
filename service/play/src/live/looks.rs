//! The last looks at the past of matches: a caller that looks at a position usually asks for the events that
//! led to it next, and others look at the same one.

use std::sync::Arc;

use event::{ChainHash, Seq};
use journal::PageSize;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use replay::{AppliedEvent, Position};

use super::LiveHead;
use super::weight::{Weight, cache_in_one_shard};

/// Number of events that are kept with a position: those that a drawing of it takes.
pub(super) const LOOK_EVENTS: PageSize = PageSize(16);

/// Expected number of looks, for the size of the cache's tables.
const TYPICAL_LOOKS: usize = 256;

/// A past position and the newest events up to it.
pub(super) struct Look {
    pub position: Arc<Position>,
    /// Oldest first.
    pub events: Vec<Arc<AppliedEvent>>,
    /// That of the match, which the position may keep in memory alone.
    weight: Weight,
}

/// The last looks, by the hash of their match's head, which belongs to one history, and by position.
pub(super) struct Looks(Cache<(ChainHash, Seq), Arc<Look>, LookWeight>);

/// Weighs looks.
#[derive(Clone)]
struct LookWeight;

impl Weighter<(ChainHash, Seq), Arc<Look>> for LookWeight {
    fn weight(&self, _: &(ChainHash, Seq), look: &Arc<Look>) -> u64 {
        look.weight.0
    }
}

impl Looks {
    /// Remembers looks of this many bytes.
    pub(super) fn new(max_bytes: u64) -> Self {
        Self(cache_in_one_shard(TYPICAL_LOOKS, max_bytes, LookWeight))
    }

    /// Returns the estimated bytes of the looks.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> u64 {
        self.0.weight()
    }

    /// Returns the look at position `seq` of a match.
    pub(super) fn find(&self, head: &LiveHead, seq: Seq) -> Option<Arc<Look>> {
        self.0.get(&(head.newest().hash, seq))
    }

    /// Remembers a position of a match, and the newest of these events up to it.
    pub(super) fn remember(
        &self,
        head: &LiveHead,
        position: &Arc<Position>,
        mut events: Vec<Arc<AppliedEvent>>,
    ) {
        let excess = events.len().saturating_sub(LOOK_EVENTS.0 as usize);
        events.drain(..excess);
        let look = Look { position: Arc::clone(position), events, weight: head.weight() };
        self.0.insert((head.newest().hash, position.seq()), Arc::new(look));
    }
}

impl Look {
    /// Returns the events after event `after`, if they are remembered.
    pub(super) fn events_after(&self, after: Seq) -> Option<Vec<Arc<AppliedEvent>>> {
        let first = self.events.first()?.seq();
        let wanted = |event: &&Arc<AppliedEvent>| event.seq() > after;
        (first <= after.next()).then(|| self.events.iter().filter(wanted).cloned().collect())
    }
}
