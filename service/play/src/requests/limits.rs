//! Bounds on what one request may contain or ask for.

use std::ops::RangeInclusive;

/// Maximum answers in a path of `GetChoices`.
pub(super) const PATH_ANSWERS: usize = 1_000;

/// Maximum characters in an answer of a path, and in a move's notation.
pub(super) const TEXT_CHARS: usize = 2_000;

/// Maximum characters in a player's name.
pub(super) const NAME_CHARS: usize = 40;

/// A number of results that a request may set.
pub(super) struct SizeRange {
    /// Used if the request sets none.
    pub default: u32,
    /// Values that a request may set.
    pub allowed: RangeInclusive<u32>,
}

impl SizeRange {
    pub(super) const fn new(default: u32, most: u32) -> Self {
        Self { default, allowed: 1..=most }
    }
}
