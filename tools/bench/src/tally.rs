//! What one caller counts while it measures; the callers' tallies are put together at the end.

use std::time::{Duration, Instant};

use crate::window::Window;

/// Answers within the window.
#[derive(Default)]
pub(crate) struct Tally {
    /// How long each took, in no order.
    pub(crate) latencies: Vec<Duration>,
    /// How many events they brought.
    pub(crate) events: u64,
}

impl Tally {
    /// Counts an answer that has come just now, if the window contains it.
    pub(crate) fn count(&mut self, window: &Window, asked: Instant, events: usize) {
        let answered = Instant::now();
        if window.contains(answered) {
            self.latencies.push(answered - asked);
            self.events += events as u64;
        }
    }

    /// Both together.
    pub(crate) fn with(mut self, other: Self) -> Self {
        self.latencies.extend(other.latencies);
        self.events += other.events;
        self
    }
}
