//! A point in time on both of this machine's clocks: the monotonic one, and the one that record times
//! compare with.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// A point in time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    /// For durations.
    pub(crate) at: Instant,
    /// Microseconds since the Unix epoch.
    pub(crate) unix_micros: i64,
}

impl Moment {
    pub(crate) fn now() -> Self {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { at: Instant::now(), unix_micros: i64::try_from(since_epoch.as_micros()).unwrap_or(i64::MAX) }
    }
}
