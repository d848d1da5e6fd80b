//! The figures of a run, printed as one line of JSON.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::caller::CallTally;
use crate::history::{MatchHistory, WatchHistory};
use crate::referee::Finding;
use crate::routes::ServiceRoute;

/// The number of findings that are printed; more are counted only.
const PRINTED: usize = 20;

/// The figures of a run.
#[derive(Debug, Default, Serialize)]
pub(crate) struct RunFigures {
    pub(crate) matches: usize,
    pub(crate) moves: usize,
    pub(crate) events: usize,
    pub(crate) calls: u64,
    /// Attempts that had to be retried.
    pub(crate) retried: u64,
    /// Calls that needed more attempts than a client makes by default.
    pub(crate) gave_up: u64,
    /// Acknowledged calls that were sent again on purpose.
    pub(crate) resent: u64,
    /// Watchers' streams that broke and were resumed.
    pub(crate) resumed: u64,
    pub(crate) lost: usize,
    pub(crate) doubled: usize,
    /// All findings of the referee, including the lost and doubled events.
    pub(crate) findings: usize,
    /// Descriptions of the first findings.
    pub(crate) first_findings: Vec<String>,
    /// The longest time without an acknowledged change in any match.
    pub(crate) longest_pause_ms: f64,
    /// The longest duration of a call, all its attempts included.
    pub(crate) slowest_call_ms: f64,
    /// Delays from a move's acknowledgement by a replica until watchers on others received it.
    pub(crate) watch: WatchDelays,
    /// How far a replica's clock was ahead of the database's, by the ids of matches.
    pub(crate) lead_ms: i64,
}

/// The distribution of delays.
#[derive(Debug, Default, Serialize, PartialEq)]
pub(crate) struct WatchDelays {
    pub(crate) count: usize,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) max_ms: f64,
}

impl RunFigures {
    /// Sets the counts of callers.
    pub(crate) fn count_calls(&mut self, tally: CallTally) {
        let CallTally { calls, retried, gave_up, resent, slowest } = tally;
        (self.calls, self.retried, self.gave_up, self.resent) = (calls, retried, gave_up, resent);
        self.slowest_call_ms = ms(slowest);
    }

    /// Adds the findings in a match, or outside all matches.
    pub(crate) fn add_findings(&mut self, match_id: &str, findings: Vec<Finding>) {
        self.lost += findings.iter().filter(|finding| matches!(finding, Finding::Lost { .. })).count();
        self.doubled += findings.iter().filter(|finding| matches!(finding, Finding::Doubled { .. })).count();
        self.findings += findings.len();
        let room = PRINTED.saturating_sub(self.first_findings.len());
        self.first_findings
            .extend(findings.iter().take(room).map(|finding| format!("{match_id}: {finding:?}")));
    }

    /// Sets the delays and durations of all matches.
    pub(crate) fn add_times(&mut self, matches: &[(MatchHistory, Vec<WatchHistory>)]) {
        let acknowledged = matches.iter().flat_map(|(history, _)| &history.acknowledged);
        self.longest_pause_ms = ms(longest_pause(acknowledged.map(|call| call.received.at).collect()));
        let delays =
            matches.iter().flat_map(|(history, watches)| across_replicas(history, watches)).collect();
        self.watch = WatchDelays::of(delays);
        self.resumed = matches.iter().flat_map(|(_, watches)| watches).map(|watch| watch.resumed).sum();
    }
}

impl WatchDelays {
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

/// Returns the delays from acknowledgements by one replica to sightings through others; 0 for earlier
/// sightings.
fn across_replicas(history: &MatchHistory, watches: &[WatchHistory]) -> Vec<Duration> {
    let mut delays = Vec::new();
    for call in history.acknowledged.iter().filter(|call| call.route != ServiceRoute::Balancer) {
        for seq in call.events.iter().map(|event| event.seq) {
            let sightings = watches.iter().filter_map(|watch| watch.sightings.get(seq as usize - 1));
            let elsewhere =
                sightings.filter(|sighting| ![ServiceRoute::Balancer, call.route].contains(&sighting.route));
            let delay = |at: Instant| at.saturating_duration_since(call.received.at);
            delays.extend(elsewhere.map(|sighting| delay(sighting.at)));
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
        assert_eq!(
            WatchDelays::of(all),
            WatchDelays { count: 200, p50_ms: 100.0, p99_ms: 198.0, max_ms: 200.0 }
        );
        assert_eq!(WatchDelays::of(Vec::new()), WatchDelays::default());
    }

    #[test]
    fn the_longest_pause_is_between_neighbours() {
        let begin = Instant::now();
        let at = |ms| begin + Duration::from_millis(ms);
        assert_eq!(longest_pause(vec![at(9), at(0), at(4)]), Duration::from_millis(5));
        assert_eq!(longest_pause(vec![at(1)]), Duration::ZERO);
    }

    #[test]
    fn lost_and_doubled_events_are_counted_and_few_findings_printed() {
        let mut figures = RunFigures::default();
        figures.add_findings("one", vec![Finding::Lost { seq: 1 }, Finding::NotOver]);
        figures.add_findings("two", (0..30).map(|seq| Finding::Doubled { seq, acknowledged: 0 }).collect());
        assert_eq!((figures.lost, figures.doubled, figures.findings), (1, 30, 32));
        assert_eq!(figures.first_findings.len(), PRINTED);
        assert!(figures.first_findings[0].starts_with("one: Lost"));
    }
}
