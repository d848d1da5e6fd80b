//! An estimate of the memory that a live match takes, from what its log holds. It is rather too large: the
//! two kinds of matches that were measured, Sticky Cresnovian Chess with a long poem and Ludus Magus, take
//! about 0.66 of it. The other two games were not measured.

use std::hash::Hash;

use event::Seq;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

/// Bytes of a match before its first move.
const BASE: u64 = 4 << 10;

/// Bytes that an event adds to a game's history of positions, apart from its public part.
const PER_EVENT: u64 = 256;

/// Bytes in memory per byte of a public part: what a move says is kept in the state, in undo data and in a
/// fork's list of moves.
const PER_LOG_BYTE: u64 = 3;

/// Bytes of an earlier position, which shares most of its memory.
const PER_CHECKPOINT: u64 = 2 << 10;

/// Estimated bytes of a live match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Weight(pub u64);

impl Weight {
    /// Estimates a match at an event.
    pub(super) fn of(seq: Seq, log_bytes: u64, checkpoints: usize) -> Self {
        let history = u64::from(seq.0) * PER_EVENT;
        let content = log_bytes.saturating_mul(PER_LOG_BYTE);
        Self(BASE + history + PER_CHECKPOINT * checkpoints as u64).plus(content)
    }

    fn plus(self, bytes: u64) -> Self {
        Self(self.0.saturating_add(bytes))
    }

    /// Returns whether a cached weight of `self` is too far from `now` to be kept.
    pub(super) fn is_outdated(self, now: Self) -> bool {
        self.0.abs_diff(now.0) > self.0 / 8
    }
}

/// Returns a cache of this many bytes that also keeps a value of nearly as many: a shard keeps none that
/// exceeds it, so there is one.
pub(super) fn cache_in_one_shard<K: Eq + Hash, V: Clone, W: Weighter<K, V> + Clone>(
    typical_values: usize,
    max_bytes: u64,
    weighter: W,
) -> Cache<K, V, W> {
    let options = OptionsBuilder::new()
        .weight_capacity(max_bytes)
        .estimated_items_capacity(typical_values)
        .shards(1)
        .build()
        .expect("both capacities are given");
    Cache::with_options(options, weighter, DefaultHashBuilder::default(), DefaultLifecycle::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_weighs_more_with_each_event_byte_and_checkpoint() {
        let Weight(new) = Weight::of(Seq(0), 0, 0);
        let added = |weight: Weight| weight.0 - new;
        assert_eq!(added(Weight::of(Seq(1_000), 0, 0)), 1_000 * PER_EVENT);
        assert_eq!(added(Weight::of(Seq(0), 1_000, 0)), 1_000 * PER_LOG_BYTE);
        assert_eq!(added(Weight::of(Seq(0), 0, 10)), 10 * PER_CHECKPOINT);
        assert_eq!(Weight::of(Seq(u32::MAX), u64::MAX, 64), Weight(u64::MAX));
    }

    #[test]
    fn a_cached_weight_is_outdated_once_it_is_off_by_more_than_an_eighth() {
        let cached = Weight(8_000);
        assert!([7_000, 8_000, 9_000].iter().all(|now| !cached.is_outdated(Weight(*now))));
        assert!([6_999, 9_001].iter().all(|now| cached.is_outdated(Weight(*now))));
    }
}
