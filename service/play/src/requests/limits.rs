//! Bounds on what one request may contain or ask for.

/// Maximum answers in a path of `GetChoices`.
pub(super) const PATH_ANSWERS: usize = 1_000;

/// Maximum characters in an answer of a path, and in a move's notation.
pub(super) const TEXT_CHARS: usize = 2_000;

/// Maximum characters in a player's name.
pub(super) const NAME_CHARS: usize = 40;

/// Maximum bytes in an app's own id of a player.
pub(super) const PLAYER_ID_BYTES: usize = 64;

/// Maximum labels of a match.
pub(super) const LABELS: usize = 16;

/// Maximum characters in a label's key.
pub(super) const LABEL_KEY_CHARS: usize = 63;

/// Maximum bytes in a label's value.
pub(super) const LABEL_VALUE_BYTES: usize = 128;

/// Maximum characters in an external id.
pub(super) const EXTERNAL_ID_CHARS: usize = 128;

/// How many results a page may have (AIP-158).
pub(super) struct PageLimits {
    default: u32,
    most: u32,
}

impl PageLimits {
    pub(super) const fn new(default: u32, most: u32) -> Self {
        Self { default, most }
    }

    /// Returns the size of a page: the default for 0, and at most the maximum.
    pub(super) fn of(&self, requested: u32) -> u32 {
        if requested == 0 { self.default } else { requested.min(self.most) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_of_0_is_the_default_and_a_large_one_the_maximum() {
        let limits = PageLimits::new(100, 500);
        for (requested, size) in [(0, 100), (1, 1), (500, 500), (501, 500), (u32::MAX, 500)] {
            assert_eq!(limits.of(requested), size);
        }
    }
}
