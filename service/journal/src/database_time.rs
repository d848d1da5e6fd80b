//! The database's time, estimated from the local monotonic clock and an offset that is measured regularly.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::{Hlc, RecordTime};

/// Returns the database's time without a round trip.
#[derive(Debug)]
pub(crate) struct DatabaseTime {
    /// Zero of the monotonic clock.
    origin: Instant,
    /// The database's time at `origin`, in microseconds.
    offset: AtomicI64,
    /// The latest time returned, in microseconds: after a backward correction time stands still, it never
    /// runs back.
    latest: AtomicI64,
}

/// One measurement of the database's time.
pub(crate) struct Measurement {
    sent: Instant,
    database: RecordTime,
    received: Instant,
}

impl DatabaseTime {
    /// Starts with the system's time, which is the database's time for memory and SQLite.
    pub(crate) fn from_system() -> DatabaseTime {
        let time = DatabaseTime {
            origin: Instant::now(),
            offset: AtomicI64::new(0),
            latest: AtomicI64::new(i64::MIN),
        };
        time.adjust(&Measurement { sent: time.origin, database: system_time(), received: time.origin });
        time
    }

    /// Returns the database's time, never less than before.
    pub(crate) fn now(&self) -> RecordTime {
        let now = self.offset.load(Ordering::Relaxed) + micros(self.origin.elapsed());
        RecordTime(self.latest.fetch_max(now, Ordering::Relaxed).max(now))
    }

    /// Returns the `Hlc` for a commit now that follows commits up to `after`.
    pub(crate) fn hlc_after(&self, after: Hlc) -> Hlc {
        Hlc(self.now().0).max(after.next())
    }

    /// Corrects the offset by a measurement.
    pub(crate) fn adjust(&self, measurement: &Measurement) {
        let middle = measurement.sent + measurement.round_trip() / 2;
        self.offset.store(measurement.database.0 - micros(middle - self.origin), Ordering::Relaxed);
    }
}

impl Measurement {
    pub(crate) fn new(sent: Instant, database: RecordTime, received: Instant) -> Measurement {
        Measurement { sent, database, received }
    }

    /// Returns the round-trip time, twice the bound of the measurement's error.
    pub(crate) fn round_trip(&self) -> Duration {
        self.received - self.sent
    }
}

/// Returns the time of the system's clock.
pub(crate) fn system_time() -> RecordTime {
    RecordTime(micros(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()))
}

/// Converts a duration to microseconds.
pub(crate) fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_does_not_run_back_after_a_backward_correction() {
        let time = DatabaseTime::from_system();
        let before = time.now();
        let now = Instant::now();
        time.adjust(&Measurement::new(now, RecordTime(before.0 - 5_000_000), now));
        assert_eq!(time.now(), time.now());
        assert!(time.now() >= before);
    }

    #[test]
    fn a_forward_correction_counts_from_the_middle_of_the_round_trip() {
        let time = DatabaseTime::from_system();
        let sent = Instant::now();
        let received = sent + Duration::from_millis(10);
        let database = RecordTime(time.now().0 + 3_600_000_000);
        time.adjust(&Measurement::new(sent, database, received));
        assert!(time.now().0 >= database.0 - 5_000);
    }
}
