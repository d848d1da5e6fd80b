//! The database's clock as this process knows it: an offset to a local clock that never jumps, measured again and again.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::RecordedTime;

/// Tells the database's time without asking the database.
#[derive(Debug)]
pub(crate) struct DatabaseTime {
    /// The local clock's zero.
    origin: Instant,
    /// Database's time at `origin`, in microseconds.
    offset: AtomicI64,
    /// The latest time told: a correction backwards makes time stand still, never turn back.
    latest: AtomicI64,
}

/// One comparison of both clocks.
pub(crate) struct Comparison {
    sent: Instant,
    shown: RecordedTime,
    received: Instant,
}

impl DatabaseTime {
    /// Starts with the system's clock, which is the database's for memory and SQLite.
    pub(crate) fn from_system() -> DatabaseTime {
        let time = DatabaseTime {
            origin: Instant::now(),
            offset: AtomicI64::new(0),
            latest: AtomicI64::new(i64::MIN),
        };
        time.adjust(&Comparison { sent: time.origin, shown: system_time(), received: time.origin });
        time
    }

    /// The database's time now; never less than it was told before.
    pub(crate) fn now(&self) -> RecordedTime {
        let shown = self.offset.load(Ordering::Relaxed) + micros(self.origin.elapsed());
        RecordedTime(self.latest.fetch_max(shown, Ordering::Relaxed).max(shown))
    }

    /// Takes a comparison as the truth from now on.
    pub(crate) fn adjust(&self, comparison: &Comparison) {
        let middle = comparison.sent + comparison.round_trip() / 2;
        self.offset.store(comparison.shown.0 - micros(middle - self.origin), Ordering::Relaxed);
    }
}

impl Comparison {
    pub(crate) fn new(sent: Instant, shown: RecordedTime, received: Instant) -> Comparison {
        Comparison { sent, shown, received }
    }

    /// What bounds the error: a short one is a good comparison.
    pub(crate) fn round_trip(&self) -> Duration {
        self.received - self.sent
    }
}

/// What the system's clock shows.
pub(crate) fn system_time() -> RecordedTime {
    RecordedTime(micros(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()))
}

/// A duration as the database counts time.
pub(crate) fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correction_backwards_does_not_turn_time_back() {
        let time = DatabaseTime::from_system();
        let before = time.now();
        let now = Instant::now();
        time.adjust(&Comparison::new(now, RecordedTime(before.0 - 5_000_000), now));
        assert_eq!(time.now(), time.now());
        assert!(time.now() >= before);
    }

    #[test]
    fn a_correction_forwards_counts_from_the_middle_of_the_round_trip() {
        let time = DatabaseTime::from_system();
        let sent = Instant::now();
        let received = sent + Duration::from_millis(10);
        let shown = RecordedTime(time.now().0 + 3_600_000_000);
        time.adjust(&Comparison::new(sent, shown, received));
        assert!(time.now().0 >= shown.0 - 5_000);
    }
}
