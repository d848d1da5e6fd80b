//! Matches that lost a race lately. They use the solo lane for a while, so that their conflicts roll back nobody else.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::MatchId;

/// The matches and until when.
#[derive(Debug, Default)]
pub(crate) struct Racing {
    until: Mutex<HashMap<MatchId, Instant>>,
    /// Its size: the usual answer, "none", costs no lock.
    count: AtomicUsize,
}

impl Racing {
    /// Remembers a match that lost.
    pub(crate) fn lost(&self, id: MatchId, during: Duration) {
        let now = Instant::now();
        let mut until = self.until.lock().expect("no holder of this lock panics");
        until.retain(|_, end| *end > now);
        until.insert(id, now + during);
        self.count.store(until.len(), Ordering::Relaxed);
    }

    /// Whether the match has lost a race lately.
    pub(crate) fn contains(&self, id: MatchId) -> bool {
        if self.count.load(Ordering::Relaxed) == 0 {
            return false;
        }
        let mut until = self.until.lock().expect("no holder of this lock panics");
        let racing = until.get(&id).is_some_and(|end| *end > Instant::now());
        if !racing {
            until.remove(&id);
            self.count.store(until.len(), Ordering::Relaxed);
        }
        racing
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_match_races_until_its_time_is_over() {
        let racing = Racing::default();
        let (long, short, never) =
            (MatchId(Uuid::new_v4()), MatchId(Uuid::new_v4()), MatchId(Uuid::new_v4()));
        racing.lost(long, Duration::from_secs(1000));
        racing.lost(short, Duration::ZERO);
        assert!(racing.contains(long));
        assert!(!racing.contains(short));
        assert!(!racing.contains(never));
    }
}
