//! Random choices among equals.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng as _;

/// Returns a random index below `count`; 0 if `count` is 0.
pub(crate) fn pick(count: usize, rng: &mut ChaCha8Rng) -> usize {
    let count = u64::try_from(count).unwrap_or(u64::MAX).max(1);
    // The bias towards low indexes is negligible: `count` is tiny compared with 2^64.
    usize::try_from(rng.next_u64() % count).unwrap_or_default()
}

/// Shuffles the items (Fisher-Yates).
pub(crate) fn shuffle<T>(items: &mut [T], rng: &mut ChaCha8Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, pick(last + 1, rng));
    }
}
