//! A measurement in numbers, in the form that is printed.

use std::time::Duration;

use serde::Serialize;

use crate::tally::Tally;
use crate::window::Window;

/// What was measured.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Figure {
    /// How many were on their way at a time.
    at_once: u32,
    per_second: f64,
    /// Events that the answers brought; 0 where there are none.
    events_per_second: f64,
    mean_ms: f64,
    p50_ms: f64,
    p99_ms: f64,
}

impl Figure {
    /// Sums up everything that was counted in the window. Without a single answer all is 0.
    pub(crate) fn of(at_once: u32, window: &Window, tally: Tally) -> Self {
        let Tally { mut latencies, events } = tally;
        latencies.sort_unstable();
        let seconds = window.length().as_secs_f64();
        let count = latencies.len() as f64;
        let total: Duration = latencies.iter().sum();
        Self {
            at_once,
            per_second: count / seconds,
            events_per_second: events as f64 / seconds,
            mean_ms: milliseconds(total) / count.max(1.0),
            p50_ms: milliseconds(percentile(&latencies, 50)),
            p99_ms: milliseconds(percentile(&latencies, 99)),
        }
    }
}

/// The least of the sorted values such that `percent` of them are no greater; 0 if there are none.
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
    use crate::window::Span;

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
    fn a_figure_sums_up_unsorted_tallies() {
        let window = Window::from_now(Span { warm_up: Duration::ZERO, measured: Duration::from_secs(2) });
        let mut latencies = milliseconds_up_to(4);
        latencies.reverse();
        let tally = Tally { latencies, events: 6 }.with(Tally::default());
        assert_eq!(
            Figure::of(8, &window, tally),
            Figure {
                at_once: 8,
                per_second: 2.0,
                events_per_second: 3.0,
                mean_ms: 2.5,
                p50_ms: 2.0,
                p99_ms: 4.0
            }
        );
    }

    #[test]
    fn no_answers_are_no_division_by_zero() {
        let window = Window::from_now(Span { warm_up: Duration::ZERO, measured: Duration::from_secs(1) });
        let figure = Figure::of(1, &window, Tally::default());
        assert_eq!((figure.per_second, figure.mean_ms), (0.0, 0.0));
    }
}
