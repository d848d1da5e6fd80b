//! Each test plants one fault in a match in which the referee finds nothing.

use std::time::Instant;

use matchbook_client::v1::event::Kind;
use matchbook_client::v1::{self, MatchEnded, MatchStarted, MoveMade};

use super::{Finding, check};
use crate::history::{AcknowledgedCall, EventHash, Fingerprint, MatchHistory, Sighting, WatchHistory};
use crate::moment::Moment;
use crate::routes::ServiceRoute;

const BEGIN: i64 = 1_800_000_000_000_000;
const MINUTE: i64 = 60_000_000;

/// A faultless match of three moves and an end.
struct ObservedMatch {
    history: MatchHistory,
    watch: WatchHistory,
    log: Vec<v1::Event>,
}

impl ObservedMatch {
    fn new() -> Self {
        let kinds = [
            Kind::MatchCreated(v1::MatchCreated::default()),
            Kind::MatchStarted(MatchStarted {}),
            Kind::MoveMade(MoveMade::default()),
            Kind::MoveMade(MoveMade::default()),
            Kind::MoveMade(MoveMade::default()),
            ended("resignation"),
        ];
        let log: Vec<_> = (1..).zip(kinds).map(|(seq, kind)| event(seq, kind)).collect();
        let own = |event: &v1::Event| vec![EventHash::of(event)];
        let history = MatchHistory {
            match_id: String::new(),
            opening: log[..2].iter().map(EventHash::of).collect(),
            acknowledged: log[2..].iter().map(|event| acknowledged(event.seq, own(event))).collect(),
            left_to_clock: false,
            problems: Vec::new(),
        };
        let sightings = log.iter().map(sighting).collect();
        Self { history, watch: WatchHistory { sightings, ..WatchHistory::default() }, log }
    }

    fn findings(&self) -> Vec<Finding> {
        check(&self.history, std::slice::from_ref(&self.watch), &self.log)
    }

    /// Changes the log, and the watcher's events with it.
    fn with_log(mut self, change: impl FnOnce(&mut Vec<v1::Event>)) -> Self {
        change(&mut self.log);
        self.watch.sightings = self.log.iter().map(sighting).collect();
        self
    }

    fn with_history(mut self, change: impl FnOnce(&mut MatchHistory)) -> Self {
        change(&mut self.history);
        self
    }

    fn with_watch(mut self, change: impl FnOnce(&mut WatchHistory)) -> Self {
        change(&mut self.watch);
        self
    }
}

fn event(seq: u32, kind: Kind) -> v1::Event {
    let hash = vec![u8::try_from(seq).unwrap(); 32];
    let seconds = (BEGIN + i64::from(seq) * MINUTE) / 1_000_000;
    let mut event = v1::Event { seq, hash, kind: Some(kind), ..Default::default() };
    event.record_time.get_or_insert_default().seconds = seconds;
    event
}

fn ended(reason: &str) -> Kind {
    let result = v1::MatchResult { reason: reason.to_owned(), ..Default::default() };
    Kind::MatchEnded(MatchEnded { result: Some(result), seed_bytes: Vec::new() })
}

fn acknowledged(seq: u32, events: Vec<EventHash>) -> AcknowledgedCall {
    let moment = |unix_micros| Moment { at: Instant::now(), unix_micros };
    let recorded = BEGIN + i64::from(seq) * MINUTE;
    AcknowledgedCall {
        route: ServiceRoute::Replica(0),
        sent: moment(recorded - 1000),
        received: moment(recorded + 1000),
        events,
    }
}

fn sighting(event: &v1::Event) -> Sighting {
    let (fingerprint, route) = (Fingerprint::of(event), ServiceRoute::Replica(1));
    Sighting { seq: event.seq, fingerprint, route, at: Instant::now() }
}

#[test]
fn a_faultless_match_has_no_findings() {
    assert_eq!(ObservedMatch::new().findings(), []);
}

#[test]
fn an_acknowledged_move_missing_in_the_log_is_lost() {
    let scene = ObservedMatch::new().with_log(|log| drop(log.pop()));
    assert_eq!(scene.findings(), [Finding::Lost { seq: 6 }, Finding::NotOver]);
}

#[test]
fn an_acknowledged_move_replaced_by_another_is_lost() {
    let scene = ObservedMatch::new().with_log(|log| log[3].hash = vec![99; 32]);
    assert_eq!(scene.findings(), [Finding::Lost { seq: 4 }]);
}

#[test]
fn an_acknowledged_claim_missing_in_the_log_is_lost() {
    let scene = ObservedMatch::new().with_log(|log| log[1].hash = Vec::new());
    assert_eq!(scene.findings(), [Finding::Lost { seq: 2 }]);
}

#[test]
fn a_move_that_no_call_acknowledges_is_doubled() {
    let scene = ObservedMatch::new().with_history(|history| drop(history.acknowledged.remove(1)));
    assert_eq!(scene.findings(), [Finding::Doubled { seq: 4, acknowledged: 0 }]);
}

#[test]
fn a_move_that_two_calls_acknowledge_is_doubled() {
    let twice = |history: &mut MatchHistory| history.acknowledged.push(history.acknowledged[0].clone());
    let scene = ObservedMatch::new().with_history(twice);
    assert_eq!(scene.findings(), [Finding::Doubled { seq: 3, acknowledged: 2 }]);
}

#[test]
fn a_gap_and_a_swap_are_out_of_order() {
    let mut scene = ObservedMatch::new();
    scene.log.swap(2, 3);
    let found = scene.findings();
    assert!(found.contains(&Finding::OutOfOrder { expected: 3, found: 4 }), "{found:?}");
    assert!(found.contains(&Finding::WrongTime { seq: 3, early_ms: 60_000 }), "{found:?}");
    let mut scene = ObservedMatch::new();
    scene.log.remove(2);
    let found = scene.findings();
    assert!(found.contains(&Finding::OutOfOrder { expected: 3, found: 4 }), "{found:?}");
    assert!(found.contains(&Finding::Lost { seq: 3 }), "{found:?}");
}

#[test]
fn a_time_outside_the_call_is_wrong() {
    for early_ms in [-5000_i64, 5000] {
        let scene = ObservedMatch::new().with_history(|history| {
            let called = &mut history.acknowledged[1];
            called.sent.unix_micros += early_ms * 1000;
            called.received.unix_micros += early_ms * 1000;
        });
        let found = scene.findings();
        assert!(
            matches!(&found[..], [Finding::WrongTime { seq: 4, early_ms: other }]
                if other.signum() == early_ms.signum()),
            "{found:?}"
        );
    }
}

#[test]
fn only_a_match_left_to_its_clock_may_end_on_time() {
    let on_time = |log: &mut Vec<v1::Event>| log[5].kind = Some(ended("time"));
    assert_eq!(ObservedMatch::new().with_log(on_time).findings(), [Finding::WrongTimeout]);
    let left = ObservedMatch::new().with_log(on_time).with_history(|history| {
        history.left_to_clock = true;
        history.acknowledged.pop();
    });
    assert_eq!(left.findings(), []);
}

#[test]
fn repeated_early_and_missing_events_of_a_watcher_are_found() {
    let twice = |watch: &mut WatchHistory| watch.sightings.insert(3, watch.sightings[2].clone());
    let found = Finding::WatchedOutOfOrder { expected: 4, found: 3 };
    assert_eq!(ObservedMatch::new().with_watch(twice).findings()[0], found);
    let swapped = ObservedMatch::new().with_watch(|watch| watch.sightings.swap(0, 1));
    assert_eq!(swapped.findings(), [Finding::WatchedOutOfOrder { expected: 1, found: 2 }]);
    let left_out = ObservedMatch::new().with_watch(|watch| watch.sightings.rotate_left(1));
    assert_eq!(left_out.findings(), [Finding::WatchedOutOfOrder { expected: 1, found: 2 }]);
    let cut = ObservedMatch::new().with_watch(|watch| watch.sightings.truncate(4));
    assert_eq!(cut.findings(), [Finding::WatchedTooLittle { seen: 4, head: 6 }]);
}

#[test]
fn a_watched_event_with_other_content_is_found() {
    let mut other = event(3, Kind::MoveMade(MoveMade::default()));
    other.facts.push(v1::Fact::default());
    let scene = ObservedMatch::new().with_watch(|watch| watch.sightings[2] = sighting(&other));
    assert_eq!(scene.findings(), [Finding::WatchedDifferently { seq: 3 }]);
}

#[test]
fn problems_of_players_and_watchers_are_findings() {
    let scene = ObservedMatch::new()
        .with_history(|history| history.problems.push("refused".to_owned()))
        .with_watch(|watch| watch.refused = Some("INTERNAL".to_owned()));
    let found = [Finding::Problem("refused".to_owned()), Finding::WatchRefused("INTERNAL".to_owned())];
    assert_eq!(scene.findings(), found);
}
