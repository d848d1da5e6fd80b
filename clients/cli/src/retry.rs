//! Trying again: how often and after what wait.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);
const ATTEMPTS: u32 = 7;

/// Waits that double, with an end. One for each thing that is tried.
#[derive(Debug, Default)]
pub(crate) struct Backoff {
    failures: u32,
}

impl Backoff {
    /// Notes a failure: how long to wait before the next attempt, or none if it
    /// is time to give up. `at_least` is what the service asked for.
    pub(crate) fn after_failure(&mut self, at_least: Option<Duration>) -> Option<Duration> {
        self.failures += 1;
        if self.failures >= ATTEMPTS {
            return None;
        }
        let doubled = FIRST.saturating_mul(1 << (self.failures - 1));
        Some(doubled.max(at_least.unwrap_or_default()).min(LONGEST))
    }

    /// Notes that it works again.
    pub(crate) fn succeeded(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_are_bounded_and_end() {
        let mut backoff = Backoff::default();
        let waits: Vec<_> = std::iter::from_fn(|| backoff.after_failure(None)).collect();
        assert_eq!(waits.len(), 6);
        assert!(waits.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(waits.iter().all(|wait| *wait <= LONGEST));
    }

    #[test]
    fn the_service_may_ask_for_more_patience_but_not_for_ever() {
        let mut backoff = Backoff::default();
        assert_eq!(backoff.after_failure(Some(Duration::from_secs(2))), Some(Duration::from_secs(2)));
        assert_eq!(backoff.after_failure(Some(Duration::from_secs(3600))), Some(LONGEST));
    }

    #[test]
    fn success_starts_anew() {
        let mut backoff = Backoff::default();
        while backoff.after_failure(None).is_some() {}
        backoff.succeeded();
        assert_eq!(backoff.after_failure(None), Some(FIRST));
    }
}
