//! When is measured: after a warm-up, for a fixed time.

use std::time::{Duration, Instant};

/// How long a measurement takes.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    pub(crate) warm_up: Duration,
    pub(crate) measured: Duration,
}

/// The time in which answers count.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    begin: Instant,
    end: Instant,
}

impl Window {
    /// The warm-up begins now.
    pub(crate) fn from_now(span: Span) -> Self {
        let begin = Instant::now() + span.warm_up;
        Self { begin, end: begin + span.measured }
    }

    /// Whether an answer at this time counts.
    pub(crate) fn contains(&self, answered: Instant) -> bool {
        (self.begin..self.end).contains(&answered)
    }

    /// Whether nothing that begins at this time can count.
    pub(crate) fn is_over(&self, now: Instant) -> bool {
        now >= self.end
    }

    /// How long answers count.
    pub(crate) fn length(&self) -> Duration {
        self.end - self.begin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_count_after_the_warm_up_and_before_the_end() {
        let seconds = Duration::from_secs;
        let window = Window::from_now(Span { warm_up: seconds(2), measured: seconds(3) });
        let begin = window.begin;
        assert!(!window.contains(begin - Duration::from_millis(1)));
        assert!(window.contains(begin));
        assert!(!window.is_over(begin + seconds(3) - Duration::from_millis(1)));
        assert!(!window.contains(begin + seconds(3)) && window.is_over(begin + seconds(3)));
        assert_eq!(window.length(), seconds(3));
    }
}
