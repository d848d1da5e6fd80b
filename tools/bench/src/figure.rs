//! One measurement in numbers, as printed.

use std::time::Duration;

use serde::Serialize;

use crate::samples::Samples;
use crate::window::Window;

/// Throughput and latency of one kind of call.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Figure {
    /// The number of concurrent calls.
    concurrency: u32,
    per_second: f64,
    /// Events in the responses per second; 0 for calls without events.
    events_per_second: f64,
    mean_ms: f64,
    p50_ms: f64,
    p99_ms: f64,
}

impl Figure {
    /// Computes the figure from all samples of a window. Without samples all numbers are 0.
    pub(crate) fn of(concurrency: u32, window: &Window, samples: Samples) -> Self {
        let Samples { mut latencies, events } = samples;
        latencies.sort_unstable();
        let seconds = window.length().as_secs_f64();
        let count = latencies.len() as f64;
        let total: Duration = latencies.iter().sum();
        Self {
            concurrency,
            per_second: count / seconds,
            events_per_second: events as f64 / seconds,
            mean_ms: milliseconds(total) / count.max(1.0),
            p50_ms: milliseconds(percentile(&latencies, 50)),
            p99_ms: milliseconds(percentile(&latencies, 99)),
        }
    }
}

/// Returns a percentile by the nearest-rank method: a value that occurred, or 0 without values.
fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::Phases;

    fn milliseconds_up_to(last: u64) -> Vec<Duration> {
        (1..=last).map(Duration::from_millis).collect()
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let hundred = milliseconds_up_to(100);
        assert_eq!(percentile(&hundred, 50), Duration::from_millis(50));
        assert_eq!(percentile(&hundred, 99), Duration::from_millis(99));
        assert_eq!(percentile(&hundred, 100), Duration::from_millis(100));
        let three = milliseconds_up_to(3);
        assert_eq!(percentile(&three, 50), Duration::from_millis(2));
        assert_eq!(percentile(&three, 99), Duration::from_millis(3));
        assert_eq!(percentile(&milliseconds_up_to(1), 1), Duration::from_millis(1));
        assert_eq!(percentile(&[], 99), Duration::ZERO);
    }

    #[test]
    fn a_figure_is_computed_from_unsorted_samples() {
        let window = Window::from_now(Phases { warm_up: Duration::ZERO, measured: Duration::from_secs(2) });
        let mut latencies = milliseconds_up_to(4);
        latencies.reverse();
        let samples = Samples { latencies, events: 6 }.merge(Samples::default());
        assert_eq!(
            Figure::of(8, &window, samples),
            Figure {
                concurrency: 8,
                per_second: 2.0,
                events_per_second: 3.0,
                mean_ms: 2.5,
                p50_ms: 2.0,
                p99_ms: 4.0
            }
        );
    }

    #[test]
    fn no_samples_are_no_division_by_zero() {
        let window = Window::from_now(Phases { warm_up: Duration::ZERO, measured: Duration::from_secs(1) });
        let figure = Figure::of(1, &window, Samples::default());
        assert_eq!((figure.per_second, figure.mean_ms), (0.0, 0.0));
    }
}
