//! The times of moves in three parts: before an outage, while it is felt, and after it.

use std::fmt::Write;
use std::ops::Range;
use std::time::Duration;

use serde::Serialize;

use crate::queue::Nanos;
use crate::simulation::AnsweredMove;

/// The result of a simulation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct SimulationReport {
    pub(crate) before: Times,
    pub(crate) during: Times,
    pub(crate) after: Times,
}

/// The times from the first attempt to the answer, of moves that were begun in one part.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Times {
    pub(crate) seconds: f64,
    pub(crate) moves: usize,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) p999_ms: f64,
    pub(crate) max_ms: f64,
}

impl SimulationReport {
    pub(crate) fn new(moves: &[AnsweredMove], window: Range<Nanos>, time: Duration) -> Self {
        let part = |range: Range<Nanos>| Times::of(moves, &range);
        Self {
            before: part(Nanos(0)..window.start),
            during: part(window.start..window.end),
            after: part(window.end..Nanos::of(time)),
        }
    }

    pub(crate) fn text(&self) -> String {
        let mut text = format!(
            "{:8}{:>9}{:>12}{:>12}{:>10}{:>10}{:>11}{:>11}\n",
            "", "seconds", "moves", "moves/s", "p50 ms", "p99 ms", "p99.9 ms", "max ms"
        );
        for (name, times) in [("before", &self.before), ("during", &self.during), ("after", &self.after)] {
            let Times { seconds, moves, p50_ms, p99_ms, p999_ms, max_ms } = times;
            let _ = writeln!(
                text,
                "{name:8}{seconds:>9.0}{moves:>12}{:>12.0}{p50_ms:>10.2}{p99_ms:>10.2}{p999_ms:>11.2}\
                 {max_ms:>11.2}",
                times.rate()
            );
        }
        text
    }
}

impl Times {
    #[expect(clippy::cast_precision_loss, reason = "for people to read")]
    fn of(moves: &[AnsweredMove], range: &Range<Nanos>) -> Self {
        let begun = moves.iter().filter(|answered| range.contains(&answered.begun));
        let mut took: Vec<u64> = begun.map(|answered| answered.took.0).collect();
        took.sort_unstable();
        let at = |per_mille: usize| {
            let index = (took.len() * per_mille / 1000).min(took.len().saturating_sub(1));
            took.get(index).map_or(0.0, |nanos| *nanos as f64 / 1e6)
        };
        let seconds = range.end.since(range.start).0 as f64 / 1e9;
        let [p50_ms, p99_ms, p999_ms, max_ms] = [at(500), at(990), at(999), at(1000)];
        Self { seconds, moves: took.len(), p50_ms, p99_ms, p999_ms, max_ms }
    }

    #[expect(clippy::cast_precision_loss, reason = "for people to read")]
    fn rate(&self) -> f64 {
        if self.seconds > 0.0 { self.moves as f64 / self.seconds } else { 0.0 }
    }
}
