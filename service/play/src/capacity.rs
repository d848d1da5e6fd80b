//! What one replica takes on, and the intervals it works by.

use std::time::Duration;

/// Upper bounds of one replica's work and memory.
#[derive(Debug, Clone)]
pub struct Capacity {
    /// Maximum bytes of cached matches, as estimated from their logs. Matches in use stay beyond it; at twice
    /// as many no new watch begins.
    pub live_bytes: u64,
    /// Maximum concurrent changes, including those whose caller has disconnected.
    pub changes: usize,
    /// Maximum open streams: watches, exports and feeds.
    pub streams: usize,
    /// Maximum bytes that the forks of one caller store per hour, 0 for no limit.
    pub fork_bytes_per_hour: u64,
    /// Number of events between the earlier positions that a cached match keeps, so that a look at its past
    /// folds no more than about as many. It grows with the match; at most 64 positions are kept.
    pub checkpoint_interval: u32,
}

impl Default for Capacity {
    fn default() -> Self {
        Self {
            live_bytes: 256 << 20,
            changes: 4_096,
            streams: 20_000,
            fork_bytes_per_hour: 64 << 20,
            checkpoint_interval: 128,
        }
    }
}

/// Intervals and time allowances.
#[derive(Debug, Clone)]
pub struct Durations {
    /// Heartbeat interval of idle streams, at most 24 hours.
    pub heartbeat: Duration,
    /// Grace period for late moves, to allow for network delay.
    pub grace: Duration,
    /// Time until a match with unclaimed seats ends as `expired`.
    pub expiry: Duration,
    /// Interval between runs of the deadline sweeper.
    pub sweep: Duration,
}

impl Default for Durations {
    fn default() -> Self {
        Self {
            heartbeat: Duration::from_secs(15),
            grace: Duration::from_millis(250),
            expiry: Duration::from_secs(24 * 60 * 60),
            sweep: Duration::from_millis(250),
        }
    }
}

impl Durations {
    /// Returns the grace period in microseconds, the unit of record times.
    pub(crate) fn grace_micros(&self) -> i64 {
        i64::try_from(self.grace.as_micros()).unwrap_or(i64::MAX)
    }

    /// Returns the time until an unclaimed match expires, in microseconds.
    pub(crate) fn expiry_micros(&self) -> i64 {
        i64::try_from(self.expiry.as_micros()).unwrap_or(i64::MAX)
    }

    /// Returns the grace period in milliseconds, the unit of a match's time control.
    pub(crate) fn grace_ms(&self) -> u32 {
        u32::try_from(self.grace.as_millis()).unwrap_or(u32::MAX)
    }
}
