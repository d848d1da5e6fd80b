//! A log that was changed, shortened, reordered or spliced does not replay, and the error names the event.

use bytes::Bytes;
use event::{Event, Sealed};
use replay::{Fault, ReplayError};

use crate::sample::{Log, replay};

fn complete_log() -> Log {
    let mut log = Log::started(4, 4, 3);
    log.play_out(5);
    log
}

fn fault_of(events: &[Event]) -> ReplayError {
    match replay(events) {
        Ok(_) => panic!("a tampered log was accepted"),
        Err(error) => error,
    }
}

#[test]
fn every_changed_byte_of_every_event_is_detected() {
    let log = complete_log();
    for index in 0..log.events.len() {
        let original = &log.events[index];
        for byte in 0..original.public.len() {
            let mut public = original.public.to_vec();
            public[byte] ^= 1;
            let changed = Event { public: public.into(), ..original.clone() };
            assert_detected(&log, index, changed);
        }
        if let Some(sealed) = &original.sealed {
            for byte in 0..sealed.as_bytes().len() {
                let mut bytes = sealed.as_bytes().to_vec();
                bytes[byte] ^= 1;
                let changed = Event { sealed: Sealed::from_bytes(Bytes::from(bytes)), ..original.clone() };
                assert_detected(&log, index, changed);
            }
        }
        assert_detected(&log, index, Event { kind: original.kind ^ 1, ..original.clone() });
        assert_detected(&log, index, Event { record_time: original.record_time.next(), ..original.clone() });
        assert_detected(&log, index, Event { sealed: None, hash: [0; 32], ..original.clone() });
    }
}

fn assert_detected(log: &Log, index: usize, changed: Event) {
    let mut events = log.events.clone();
    events[index] = changed;
    let error = fault_of(&events);
    assert_eq!(error.seq, log.events[index].seq);
    assert_eq!(error.fault, Fault::BrokenChain);
}

#[test]
fn missing_duplicated_and_swapped_events_are_detected() {
    let log = complete_log();
    for index in 1..log.events.len() - 1 {
        let mut missing = log.events.clone();
        missing.remove(index);
        assert!(matches!(fault_of(&missing).fault, Fault::Gap { .. }));

        let mut duplicated = log.events.clone();
        duplicated.insert(index, log.events[index].clone());
        assert!(matches!(fault_of(&duplicated).fault, Fault::Gap { .. }));

        let mut swapped = log.events.clone();
        swapped.swap(index, index + 1);
        assert!(matches!(fault_of(&swapped).fault, Fault::Gap { .. }));
    }
}

#[test]
fn events_of_another_log_are_detected() {
    let log = complete_log();
    let mut other = Log::started(4, 4, 3);
    other.play_out(6);
    let mut spliced = log.events.clone();
    let last = spliced.len() - 1;
    spliced[last] = other.events[last].clone();
    assert_eq!(fault_of(&spliced).fault, Fault::BrokenChain);
}
