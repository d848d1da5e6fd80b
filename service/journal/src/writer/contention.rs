//! The matches that had a conflict recently. They use the contended writer for a while, so that further
//! conflicts roll back no other append.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::MatchId;

/// The contended matches, each with the end of its period.
#[derive(Debug, Default)]
pub(crate) struct Contention {
    until: Mutex<HashMap<MatchId, Instant>>,
    /// The size of `until`: usually 0, which needs no lock.
    count: AtomicUsize,
}

impl Contention {
    /// Marks a match as contended for `period`.
    pub(crate) fn mark(&self, id: MatchId, period: Duration) {
        let now = Instant::now();
        let mut until = self.until.lock().expect("no holder of this lock panics");
        until.retain(|_, end| *end > now);
        until.insert(id, now + period);
        self.count.store(until.len(), Ordering::Relaxed);
    }

    /// Returns whether a match is contended.
    pub(crate) fn contains(&self, id: MatchId) -> bool {
        if self.count.load(Ordering::Relaxed) == 0 {
            return false;
        }
        let mut until = self.until.lock().expect("no holder of this lock panics");
        let contended = until.get(&id).is_some_and(|end| *end > Instant::now());
        if !contended {
            until.remove(&id);
            self.count.store(until.len(), Ordering::Relaxed);
        }
        contended
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_match_is_contended_until_its_period_ends() {
        let contention = Contention::default();
        let (long, short, never) =
            (MatchId(Uuid::new_v4()), MatchId(Uuid::new_v4()), MatchId(Uuid::new_v4()));
        contention.mark(long, Duration::from_secs(1000));
        contention.mark(short, Duration::ZERO);
        assert!(contention.contains(long));
        assert!(!contention.contains(short));
        assert!(!contention.contains(never));
    }
}
