//! Current figures of the use cases, one method each. The server's metrics read them.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Play, StreamKind};

/// Counts hits and misses of the cache of live matches.
#[derive(Default)]
pub(crate) struct Lookups {
    hits: AtomicU64,
    misses: AtomicU64,
}

/// The outcome of looking for a match in the cache.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lookup {
    Hit,
    /// The match's log has to be read.
    Miss,
}

impl Lookups {
    pub(crate) fn count(&self, lookup: Lookup) {
        let counter = match lookup {
            Lookup::Hit => &self.hits,
            Lookup::Miss => &self.misses,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

impl Play {
    /// Returns the number of matches in memory, in use or cached.
    #[must_use]
    pub fn live_matches(&self) -> u64 {
        self.matches.count() as u64
    }

    /// Returns the estimated bytes of the matches in memory.
    #[must_use]
    pub fn live_bytes(&self) -> u64 {
        self.matches.bytes()
    }

    /// Returns the number of calls since the start that found their match in memory.
    #[must_use]
    pub fn live_hits(&self) -> u64 {
        self.matches.lookups().hits.load(Ordering::Relaxed)
    }

    /// Returns the number of calls since the start whose match had to be folded from its log first.
    #[must_use]
    pub fn live_misses(&self) -> u64 {
        self.matches.lookups().misses.load(Ordering::Relaxed)
    }

    /// Returns the number of open streams of a kind.
    #[must_use]
    pub fn open_streams(&self, kind: StreamKind) -> u64 {
        self.streams.open(kind)
    }
}
