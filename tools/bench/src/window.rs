//! The time in which responses count: a fixed time after a warm-up.

use std::time::{Duration, Instant};

/// The durations of a measurement's phases.
#[derive(Clone, Copy)]
pub(crate) struct Phases {
    pub(crate) warm_up: Duration,
    pub(crate) measured: Duration,
}

/// The time in which responses count.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    begin: Instant,
    end: Instant,
}

impl Window {
    /// Starts the warm-up now.
    pub(crate) fn from_now(phases: Phases) -> Self {
        let begin = Instant::now() + phases.warm_up;
        Self { begin, end: begin + phases.measured }
    }

    /// Returns whether a response at this time counts.
    pub(crate) fn contains(&self, received: Instant) -> bool {
        (self.begin..self.end).contains(&received)
    }

    /// Returns whether no call that starts now can count.
    pub(crate) fn is_over(&self, now: Instant) -> bool {
        now >= self.end
    }

    /// Returns the measured duration.
    pub(crate) fn length(&self) -> Duration {
        self.end - self.begin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_count_after_the_warm_up_and_before_the_end() {
        let seconds = Duration::from_secs;
        let window = Window::from_now(Phases { warm_up: seconds(2), measured: seconds(3) });
        let begin = window.begin;
        assert!(!window.contains(begin - Duration::from_millis(1)));
        assert!(window.contains(begin));
        assert!(!window.is_over(begin + seconds(3) - Duration::from_millis(1)));
        assert!(!window.contains(begin + seconds(3)) && window.is_over(begin + seconds(3)));
        assert_eq!(window.length(), seconds(3));
    }
}
