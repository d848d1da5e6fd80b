//! Every fault that the referee can find is planted once in a match that it finds nothing in.

use std::time::Instant;

use wire::v1::event::Kind;
use wire::v1::{self, Digest, MatchEnded, MatchStarted, MoveMade};

use super::{Finding, judge};
use crate::moment::Moment;
use crate::record::{Acknowledged, Print, Receipt, Record, Sighting, Watched};
use crate::routes::Way;

const BEGIN: i64 = 1_800_000_000_000_000;
const MINUTE: i64 = 60_000_000;

/// A match of three moves and an end, everything as it should be.
struct Scene {
    record: Record,
    watched: Watched,
    log: Vec<v1::Event>,
}

impl Scene {
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
        let told = |event: &v1::Event| vec![Receipt::of(event)];
        let record = Record {
            match_id: String::new(),
            opening: log[..2].iter().map(Receipt::of).collect(),
            acknowledged: log[2..].iter().map(|event| acknowledged(event.seq, told(event))).collect(),
            left_to_clock: false,
            trouble: Vec::new(),
        };
        let sightings = log.iter().map(sighting).collect();
        Self { record, watched: Watched { sightings, ..Watched::default() }, log }
    }

    fn findings(&self) -> Vec<Finding> {
        judge(&self.record, std::slice::from_ref(&self.watched), &self.log)
    }

    /// Another log under the same watcher's eyes: what the watcher saw is what the log has.
    fn with_log(mut self, change: impl FnOnce(&mut Vec<v1::Event>)) -> Self {
        change(&mut self.log);
        self.watched.sightings = self.log.iter().map(sighting).collect();
        self
    }

    fn with_record(mut self, change: impl FnOnce(&mut Record)) -> Self {
        change(&mut self.record);
        self
    }

    fn with_watched(mut self, change: impl FnOnce(&mut Watched)) -> Self {
        change(&mut self.watched);
        self
    }
}

fn event(seq: u32, kind: Kind) -> v1::Event {
    let hash = Digest { value: vec![u8::try_from(seq).unwrap(); 32] };
    let seconds = (BEGIN + i64::from(seq) * MINUTE) / 1_000_000;
    let mut event = v1::Event { seq, hash: Some(hash), kind: Some(kind), ..Default::default() };
    event.recorded_time.get_or_insert_default().seconds = seconds;
    event
}

fn ended(reason: &str) -> Kind {
    let result = v1::Result { winner: None, reason: reason.to_owned() };
    Kind::MatchEnded(MatchEnded { result: Some(result), seed_bytes: Vec::new() })
}

fn acknowledged(seq: u32, events: Vec<Receipt>) -> Acknowledged {
    let moment = |micros| Moment { at: Instant::now(), micros };
    let recorded = BEGIN + i64::from(seq) * MINUTE;
    Acknowledged {
        way: Way::Replica(0),
        sent: moment(recorded - 1000),
        answered: moment(recorded + 1000),
        events,
    }
}

fn sighting(event: &v1::Event) -> Sighting {
    Sighting { seq: event.seq, print: Print::of(event), way: Way::Replica(1), at: Instant::now() }
}

#[test]
fn nothing_is_found_where_nothing_is_wrong() {
    assert_eq!(Scene::new().findings(), []);
}

#[test]
fn an_acknowledged_move_that_is_not_there_is_lost() {
    let scene = Scene::new().with_log(|log| drop(log.pop()));
    assert_eq!(scene.findings(), [Finding::Lost { seq: 6 }, Finding::NotOver]);
}

#[test]
fn an_acknowledged_move_in_whose_place_another_stands_is_lost() {
    let scene = Scene::new().with_log(|log| log[3].hash = Some(Digest { value: vec![99; 32] }));
    assert_eq!(scene.findings(), [Finding::Lost { seq: 4 }]);
}

#[test]
fn a_claim_that_was_answered_and_is_not_there_is_lost() {
    let scene = Scene::new().with_log(|log| log[1].hash = None);
    assert_eq!(scene.findings(), [Finding::Lost { seq: 2 }]);
}

#[test]
fn a_move_that_nobody_was_told_of_is_doubled() {
    let scene = Scene::new().with_record(|record| drop(record.acknowledged.remove(1)));
    assert_eq!(scene.findings(), [Finding::Doubled { seq: 4, told: 0 }]);
}

#[test]
fn a_move_that_two_calls_were_told_is_doubled() {
    let twice = |record: &mut Record| record.acknowledged.push(record.acknowledged[0].clone());
    let scene = Scene::new().with_record(twice);
    assert_eq!(scene.findings(), [Finding::Doubled { seq: 3, told: 2 }]);
}

#[test]
fn a_gap_and_a_swap_are_out_of_order() {
    let mut scene = Scene::new();
    scene.log.swap(2, 3);
    let found = scene.findings();
    assert!(found.contains(&Finding::OutOfOrder { expected: 3, found: 4 }), "{found:?}");
    assert!(found.contains(&Finding::WrongTime { seq: 3, early_ms: 60_000 }), "{found:?}");
    let mut scene = Scene::new();
    scene.log.remove(2);
    let found = scene.findings();
    assert!(found.contains(&Finding::OutOfOrder { expected: 3, found: 4 }), "{found:?}");
    assert!(found.contains(&Finding::Lost { seq: 3 }), "{found:?}");
}

#[test]
fn a_time_outside_of_the_call_is_wrong() {
    for early_ms in [-5000_i64, 5000] {
        let scene = Scene::new().with_record(|record| {
            let called = &mut record.acknowledged[1];
            called.sent.micros += early_ms * 1000;
            called.answered.micros += early_ms * 1000;
        });
        let found = scene.findings();
        assert!(
            matches!(&found[..], [Finding::WrongTime { seq: 4, early_ms: found }] if found.signum() == early_ms.signum()),
            "{found:?}"
        );
    }
}

#[test]
fn only_a_match_that_was_left_to_its_clock_may_end_by_it() {
    let on_time = |log: &mut Vec<v1::Event>| log[5].kind = Some(ended("time"));
    assert_eq!(Scene::new().with_log(on_time).findings(), [Finding::WronglyOnTime]);
    let left = Scene::new().with_log(on_time).with_record(|record| {
        record.left_to_clock = true;
        record.acknowledged.pop();
    });
    assert_eq!(left.findings(), []);
}

#[test]
fn what_a_watcher_saw_twice_too_early_or_not_at_all_is_found() {
    let twice = |watched: &mut Watched| watched.sightings.insert(3, watched.sightings[2].clone());
    let found = Finding::WatchedOutOfOrder { expected: 4, found: 3 };
    assert_eq!(Scene::new().with_watched(twice).findings()[0], found);
    let swapped = Scene::new().with_watched(|watched| watched.sightings.swap(0, 1));
    assert_eq!(swapped.findings(), [Finding::WatchedOutOfOrder { expected: 1, found: 2 }]);
    let left_out = Scene::new().with_watched(|watched| watched.sightings.rotate_left(1));
    assert_eq!(left_out.findings(), [Finding::WatchedOutOfOrder { expected: 1, found: 2 }]);
    let cut = Scene::new().with_watched(|watched| watched.sightings.truncate(4));
    assert_eq!(cut.findings(), [Finding::WatchedTooLittle { seen: 4, head: 6 }]);
}

#[test]
fn what_a_watcher_saw_otherwise_is_found() {
    let mut other = event(3, Kind::MoveMade(MoveMade::default()));
    other.facts.push(v1::Fact::default());
    let scene = Scene::new().with_watched(|watched| watched.sightings[2] = sighting(&other));
    assert_eq!(scene.findings(), [Finding::WatchedOtherwise { seq: 3 }]);
}

#[test]
fn what_players_and_watchers_met_is_told() {
    let scene = Scene::new()
        .with_record(|record| record.trouble.push("refused".to_owned()))
        .with_watched(|watched| watched.refused = Some("internal".to_owned()));
    let found = [Finding::Trouble("refused".to_owned()), Finding::WatchRefused("internal".to_owned())];
    assert_eq!(scene.findings(), found);
}
