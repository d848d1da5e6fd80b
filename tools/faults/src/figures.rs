//! What a run has come to, in the form that is printed: one line of JSON.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::caller::Tally;
use crate::record::{Record, Watched};
use crate::referee::Finding;
use crate::routes::Way;

/// More findings than these are counted and not told.
const TOLD: usize = 20;

/// The figures of a run.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Figures {
    pub(crate) matches: usize,
    pub(crate) moves: usize,
    pub(crate) events: usize,
    pub(crate) calls: u64,
    /// Attempts that had to be repeated.
    pub(crate) retried: u64,
    /// Calls on which the client `matchbook` would have given up.
    pub(crate) gave_up: u64,
    /// Answered calls that were sent once more on purpose.
    pub(crate) repeated: u64,
    /// Watchers' streams that were cut and resumed.
    pub(crate) resumed: u64,
    pub(crate) lost: usize,
    pub(crate) doubled: usize,
    /// Everything that the referee found, the lost and the doubled included.
    pub(crate) findings: usize,
    /// The first of them in words.
    pub(crate) told: Vec<String>,
    /// The longest time in which no change of any match was acknowledged.
    pub(crate) longest_pause_ms: f64,
    /// The longest time that one call took, all its attempts together.
    pub(crate) slowest_call_ms: f64,
    /// From the acknowledgement of a move by one replica until watchers on others saw it.
    pub(crate) watch: Delays,
    /// How far the clock of a replica was before the database's, as ids of matches tell.
    pub(crate) lead_ms: i64,
}

/// How long something took, many times.
#[derive(Debug, Default, Serialize, PartialEq)]
pub(crate) struct Delays {
    pub(crate) count: usize,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) max_ms: f64,
}

impl Figures {
    /// Takes over what callers have counted.
    pub(crate) fn count_calls(&mut self, tally: Tally) {
        let Tally { calls, retried, gave_up, repeated, slowest } = tally;
        (self.calls, self.retried, self.gave_up, self.repeated) = (calls, retried, gave_up, repeated);
        self.slowest_call_ms = ms(slowest);
    }

    /// Notes what the referee found in a match, or outside of all.
    pub(crate) fn find(&mut self, match_id: &str, found: Vec<Finding>) {
        self.lost += found.iter().filter(|finding| matches!(finding, Finding::Lost { .. })).count();
        self.doubled += found.iter().filter(|finding| matches!(finding, Finding::Doubled { .. })).count();
        self.findings += found.len();
        let room = TOLD.saturating_sub(self.told.len());
        self.told.extend(found.iter().take(room).map(|finding| format!("{match_id}: {finding:?}")));
    }

    /// What took how long, over all matches.
    pub(crate) fn time(&mut self, matches: &[(Record, Vec<Watched>)]) {
        let acknowledged = matches.iter().flat_map(|(record, _)| &record.acknowledged);
        self.longest_pause_ms = ms(longest_pause(acknowledged.map(|one| one.answered.at).collect()));
        let delays = matches.iter().flat_map(|(record, watched)| across_replicas(record, watched)).collect();
        self.watch = Delays::of(delays);
        self.resumed = matches.iter().flat_map(|(_, watched)| watched).map(|watched| watched.resumed).sum();
    }
}

impl Delays {
    pub(crate) fn of(mut all: Vec<Duration>) -> Self {
        all.sort_unstable();
        let at = |percent: usize| {
            let rank = (all.len() * percent).div_ceil(100).max(1);
            ms(all.get(rank - 1).copied().unwrap_or_default())
        };
        Self { count: all.len(), p50_ms: at(50), p99_ms: at(99), max_ms: at(100) }
    }
}

fn longest_pause(mut acknowledged: Vec<Instant>) -> Duration {
    acknowledged.sort_unstable();
    acknowledged.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or_default()
}

/// From each acknowledgement by a replica to each sighting through another one; none if it was seen before.
fn across_replicas(record: &Record, watched: &[Watched]) -> Vec<Duration> {
    let mut delays = Vec::new();
    for acknowledged in record.acknowledged.iter().filter(|one| one.way != Way::Balanced) {
        for seq in acknowledged.events.iter().map(|told| told.seq) {
            let seen = watched.iter().filter_map(|watched| watched.sightings.get(seq as usize - 1));
            let elsewhere =
                seen.filter(|sighting| ![Way::Balanced, acknowledged.way].contains(&sighting.way));
            delays.extend(
                elsewhere.map(|sighting| sighting.at.saturating_duration_since(acknowledged.answered.at)),
            );
        }
    }
    delays
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_values_that_occurred() {
        let all = (1..=200).rev().map(Duration::from_millis).collect();
        assert_eq!(Delays::of(all), Delays { count: 200, p50_ms: 100.0, p99_ms: 198.0, max_ms: 200.0 });
        assert_eq!(Delays::of(Vec::new()), Delays::default());
    }

    #[test]
    fn the_longest_pause_lies_between_neighbours() {
        let begin = Instant::now();
        let at = |ms| begin + Duration::from_millis(ms);
        assert_eq!(longest_pause(vec![at(9), at(0), at(4)]), Duration::from_millis(5));
        assert_eq!(longest_pause(vec![at(1)]), Duration::ZERO);
    }

    #[test]
    fn the_lost_and_the_doubled_are_counted_apart_and_few_are_told() {
        let mut figures = Figures::default();
        figures.find("one", vec![Finding::Lost { seq: 1 }, Finding::NotOver]);
        figures.find("two", (0..30).map(|seq| Finding::Doubled { seq, told: 0 }).collect());
        assert_eq!((figures.lost, figures.doubled, figures.findings), (1, 30, 32));
        assert_eq!(figures.told.len(), TOLD);
        assert!(figures.told[0].starts_with("one: Lost"));
    }
}
