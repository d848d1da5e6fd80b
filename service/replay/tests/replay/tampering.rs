//! A log that was changed, cut inside, reordered or spliced does not fold, and
//! says where.

use bytes::Bytes;
use replay::{Fault, Record, ReplayError, Sealed};

use crate::sample::{Log, fold};

fn whole() -> Log {
    let mut log = Log::started(4, 4, 3);
    log.play_out(5);
    log
}

fn fault_of(records: &[Record]) -> ReplayError {
    match fold(records) {
        Ok(_) => panic!("a changed log was accepted"),
        Err(error) => error,
    }
}

#[test]
fn every_changed_byte_of_every_event_is_found() {
    let log = whole();
    for index in 0..log.records.len() {
        let original = &log.records[index];
        for byte in 0..original.public.len() {
            let mut public = original.public.to_vec();
            public[byte] ^= 1;
            let changed = Record { public: public.into(), ..original.clone() };
            assert_found(&log, index, changed);
        }
        if let Some(sealed) = &original.sealed {
            for byte in 0..sealed.as_bytes().len() {
                let mut bytes = sealed.as_bytes().to_vec();
                bytes[byte] ^= 1;
                let changed = Record { sealed: Sealed::from_bytes(Bytes::from(bytes)), ..original.clone() };
                assert_found(&log, index, changed);
            }
        }
        assert_found(&log, index, Record { kind: original.kind ^ 1, ..original.clone() });
        assert_found(&log, index, Record { recorded_time: original.recorded_time + 1, ..original.clone() });
        assert_found(&log, index, Record { sealed: None, hash: [0; 32], ..original.clone() });
    }
}

fn assert_found(log: &Log, index: usize, changed: Record) {
    let mut records = log.records.clone();
    records[index] = changed;
    let error = fault_of(&records);
    assert_eq!(error.seq, log.records[index].seq);
    assert_eq!(error.fault, Fault::BrokenChain);
}

#[test]
fn missing_doubled_and_swapped_events_are_found() {
    let log = whole();
    for index in 1..log.records.len() - 1 {
        let mut missing = log.records.clone();
        missing.remove(index);
        assert!(matches!(fault_of(&missing).fault, Fault::Gap { .. }));

        let mut doubled = log.records.clone();
        doubled.insert(index, log.records[index].clone());
        assert!(matches!(fault_of(&doubled).fault, Fault::Gap { .. }));

        let mut swapped = log.records.clone();
        swapped.swap(index, index + 1);
        assert!(matches!(fault_of(&swapped).fault, Fault::Gap { .. }));
    }
}

#[test]
fn events_of_another_match_do_not_fit() {
    let log = whole();
    let mut other = Log::started(4, 4, 3);
    other.play_out(6);
    let mut spliced = log.records.clone();
    let last = spliced.len() - 1;
    spliced[last] = other.records[last].clone();
    assert_eq!(fault_of(&spliced).fault, Fault::BrokenChain);
}
