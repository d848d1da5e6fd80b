//! How often a call is retried, and after what delay.

use std::time::Duration;

/// How calls are retried and streams are reopened: with delays that double up to a maximum.
///
/// The default makes up to 7 attempts, with delays from 100 ms to 5 s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    attempts: u32,
    initial_delay: Duration,
    max_delay: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { attempts: 7, initial_delay: Duration::from_millis(100), max_delay: Duration::from_secs(5) }
    }
}

impl RetryPolicy {
    /// Returns a policy of one attempt: nothing is retried, no stream is reopened.
    pub fn none() -> Self {
        Self::default().attempts(1)
    }

    /// Sets the maximum number of attempts, the first one included. For a stream the count starts anew with
    /// each frame received.
    #[must_use]
    pub fn attempts(self, attempts: u32) -> Self {
        Self { attempts, ..self }
    }

    /// Sets the delay before the first retry.
    #[must_use]
    pub fn initial_delay(self, delay: Duration) -> Self {
        Self { initial_delay: delay, ..self }
    }

    /// Sets the maximum delay. It also bounds the delay that the service asks for.
    #[must_use]
    pub fn max_delay(self, delay: Duration) -> Self {
        Self { max_delay: delay, ..self }
    }

    /// Returns the delay after this many failed attempts in a row, or `None` if no attempt is left.
    /// `at_least` is the delay that the service asked for.
    pub fn delay_after(&self, failures: u32, at_least: Option<Duration>) -> Option<Duration> {
        if failures >= self.attempts {
            return None;
        }
        let doubled = self.initial_delay.saturating_mul(1 << failures.saturating_sub(1).min(30));
        Some(doubled.max(at_least.unwrap_or_default()).min(self.max_delay))
    }
}

/// The failures in a row of one call or stream.
#[derive(Debug)]
pub(crate) struct Backoff {
    policy: RetryPolicy,
    failures: u32,
}

impl Backoff {
    pub(crate) fn new(policy: RetryPolicy) -> Self {
        Self { policy, failures: 0 }
    }

    /// Counts a failure and returns the delay before the next attempt, or `None` if no attempt is left.
    pub(crate) fn after_failure(&mut self, at_least: Option<Duration>) -> Option<Duration> {
        self.failures = self.failures.saturating_add(1);
        self.policy.delay_after(self.failures, at_least)
    }

    /// Counts from zero again.
    pub(crate) fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONGEST: Duration = Duration::from_secs(5);

    #[test]
    fn delays_double_are_bounded_and_end() {
        let mut backoff = Backoff::new(RetryPolicy::default());
        let waits: Vec<_> = std::iter::from_fn(|| backoff.after_failure(None)).collect();
        assert_eq!(waits.len(), 6);
        assert!(waits.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(waits.iter().all(|wait| *wait <= LONGEST));
    }

    #[test]
    fn the_service_may_ask_for_a_longer_delay_within_the_maximum() {
        let mut backoff = Backoff::new(RetryPolicy::default());
        assert_eq!(backoff.after_failure(Some(Duration::from_secs(2))), Some(Duration::from_secs(2)));
        assert_eq!(backoff.after_failure(Some(Duration::from_secs(3600))), Some(LONGEST));
    }

    #[test]
    fn success_starts_the_count_anew() {
        let mut backoff = Backoff::new(RetryPolicy::default());
        while backoff.after_failure(None).is_some() {}
        backoff.reset();
        assert_eq!(backoff.after_failure(None), Some(Duration::from_millis(100)));
    }

    #[test]
    fn a_policy_may_have_any_number_of_attempts() {
        assert_eq!(RetryPolicy::none().delay_after(1, None), None);
        let tireless = RetryPolicy::default().attempts(u32::MAX).max_delay(Duration::from_secs(1));
        assert_eq!(tireless.delay_after(u32::MAX - 1, None), Some(Duration::from_secs(1)));
    }
}
