//! How busy the use cases are at one moment, as plain numbers. Who reads them, and in which form, is not known here.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::Play;
use crate::play::watch_places;

/// A moment of a replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Matches in memory, in use or kept for the next call.
    pub live_matches: usize,
    /// Watches that are open.
    pub watches: usize,
    /// How often a call found its match in memory, since the start.
    pub live_hits: u64,
    /// How often its log had to be read first.
    pub live_misses: u64,
}

/// How often matches were looked for, and found in memory.
#[derive(Default)]
pub(crate) struct Lookups {
    hits: AtomicU64,
    misses: AtomicU64,
}

/// What a look for a match found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// It was in memory.
    Hit,
    /// Its log has to be read.
    Miss,
}

impl Lookups {
    pub(crate) fn count(&self, found: Lookup) {
        let counter = match found {
            Lookup::Hit => &self.hits,
            Lookup::Miss => &self.misses,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

impl Play {
    /// What goes on now.
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats {
            live_matches: self.registry.count(),
            watches: watch_places(self.limits.watches).saturating_sub(self.watches.available_permits()),
            live_hits: self.lookups.hits.load(Ordering::Relaxed),
            live_misses: self.lookups.misses.load(Ordering::Relaxed),
        }
    }
}
