//! The responses that one caller received; the callers' samples are merged at the end.

use std::time::{Duration, Instant};

use crate::window::Window;

/// Responses within the window.
#[derive(Default)]
pub(crate) struct Samples {
    /// The latency of each call, unordered.
    pub(crate) latencies: Vec<Duration>,
    /// The number of events in the responses.
    pub(crate) events: u64,
}

impl Samples {
    /// Adds a response that arrived just now, if the window contains it.
    pub(crate) fn add(&mut self, window: &Window, sent: Instant, events: usize) {
        let received = Instant::now();
        if window.contains(received) {
            self.latencies.push(received - sent);
            self.events += events as u64;
        }
    }

    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.latencies.extend(other.latencies);
        self.events += other.events;
        self
    }
}
