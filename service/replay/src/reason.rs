//! The words for endings that no game's rules make (G-7).

/// A seat gave up.
pub const RESIGNATION: &str = "resignation";
/// Both seats agreed on a draw.
pub const AGREEMENT: &str = "agreement";
/// A seat's time was over, or both seats' at once.
pub const TIME: &str = "time";
/// Called off before any move.
pub const ABORTED: &str = "aborted";
/// Never started.
pub const EXPIRED: &str = "expired";
