//! A point in time on both clocks of this machine: one that measures, and one that can be compared with what
//! the database recorded.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Now, as it was.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    /// For durations.
    pub(crate) at: Instant,
    /// Microseconds since 1970.
    pub(crate) micros: i64,
}

impl Moment {
    pub(crate) fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { at: Instant::now(), micros: i64::try_from(since.as_micros()).unwrap_or(i64::MAX) }
    }
}
