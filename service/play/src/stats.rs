//! Current figures of the use cases, as plain numbers for the metrics exporter.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::Play;

/// Figures of one replica at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayStats {
    /// Matches in memory, in use or cached.
    pub live_matches: usize,
    /// Open streams: watches, exports and feeds.
    pub streams: usize,
    /// Calls that found their match in memory, since the start.
    pub live_hits: u64,
    /// Calls whose match had to be folded from its log first, since the start.
    pub live_misses: u64,
}

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
    /// Returns the current figures.
    #[must_use]
    pub fn stats(&self) -> PlayStats {
        let lookups = self.matches.lookups();
        PlayStats {
            live_matches: self.matches.count(),
            streams: self.streams.open(),
            live_hits: lookups.hits.load(Ordering::Relaxed),
            live_misses: lookups.misses.load(Ordering::Relaxed),
        }
    }
}
