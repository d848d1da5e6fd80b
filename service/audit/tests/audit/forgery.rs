//! Tampered files never verify and never cause a panic.

use audit::{FileForm, LogCheck, LogFile, Problem, Trust, Verification};
use event::{Seat, Seq};
use rules::Viewer;

use crate::exported::{bytes, export, finished, half_a_turn, pinned, signer};
use crate::second_verifier::theirs_as_text;

/// Returns whether a reader could take the bytes for an honest file.
fn is_accepted(bytes: &[u8], trust: &Trust) -> bool {
    LogFile::read(bytes).is_ok_and(|(file, _)| file.verify(trust).verdict != Verification::Refused)
}

fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
}

#[test]
fn every_changed_byte_of_a_file_is_detected() {
    let mut log = half_a_turn();
    log.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
    for (form, trust) in [(FileForm::Json, pinned()), (FileForm::Binary, Trust::default())] {
        let whole = bytes(&log, Viewer::Spectator, form);
        assert!(is_accepted(&whole, &trust));
        for at in 0..whole.len() {
            for bit in [0x01, 0x20] {
                let mut changed = whole.clone();
                changed[at] ^= bit;
                assert!(!is_accepted(&changed, &trust), "{form:?}: byte {at}, bit {bit:#x}");
            }
        }
    }
}

#[test]
fn changed_bytes_are_detected_in_a_file_of_each_game() {
    let trust = pinned();
    for log in finished() {
        let whole = bytes(&log, Viewer::Spectator, FileForm::Binary);
        for at in (0..whole.len()).step_by(whole.len() / 25 + 1) {
            let mut changed = whole.clone();
            changed[at] ^= 4;
            assert!(!is_accepted(&changed, &trust), "byte {at}");
        }
    }
}

#[test]
fn missing_duplicated_swapped_and_foreign_lines_are_detected() {
    let logs = finished();
    let whole = lines(&bytes(&logs[2], Viewer::Spectator, FileForm::Json));
    let mut other = crate::sample::Log::create_of(logs[2].position.options().clone()).claimed();
    other.play_out(77);
    let other = lines(&bytes(&other, Viewer::Spectator, FileForm::Json));
    for at in 0..whole.len() {
        let mut missing = whole.clone();
        missing.remove(at);
        let mut duplicated = whole.clone();
        duplicated.insert(at, whole[at].clone());
        let mut swapped = whole.clone();
        swapped.swap(at, (at + 1) % whole.len());
        for changed in [missing, duplicated, swapped] {
            assert!(!is_accepted(&changed.concat(), &Trust::default()), "line {at}");
        }
        if other.get(at).is_some_and(|line| *line != whole[at]) {
            let mut spliced = whole.clone();
            spliced[at].clone_from(&other[at]);
            assert!(!is_accepted(&spliced.concat(), &Trust::default()), "line {at}");
        }
    }
}

/// Nothing is said of the events from the gap on, by either verifier.
#[test]
fn a_missing_event_is_named_and_not_the_one_that_follows_it() {
    let whole = lines(&bytes(&finished()[2], Viewer::Spectator, FileForm::Json));
    let gap = [&whole[..3], &whole[4..]].concat().concat();
    let report = LogFile::read(&gap).unwrap().0.verify(&Trust::default());
    let failure = report.failure.unwrap();
    assert_eq!(failure.seq, Some(Seq(3)));
    assert_eq!(failure.problem.to_string(), "event 4 stands in its place");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gap.jsonl");
    std::fs::write(&file, gap).unwrap();
    let Some(text) = theirs_as_text(&[file]) else { return };
    assert!(text.contains("failed (structure): event 3: event 4 stands in its place\n"), "{text}");
    assert!(text.ends_with("not checked after event 2\n"), "{text}");
}

/// The file ends after an earlier event, followed by the original head.
#[test]
fn a_truncated_log_does_not_fit_the_signed_head() {
    let whole = lines(&bytes(&finished()[2], Viewer::Spectator, FileForm::Json));
    for keep in 1..whole.len() - 1 {
        let truncated = [whole[..keep].concat(), whole[whole.len() - 1].clone()].concat();
        assert!(!is_accepted(&truncated, &Trust::default()), "after {keep} lines");
    }
}

#[test]
fn a_later_event_does_not_fit_the_signed_head() {
    let mut log = half_a_turn();
    let old = export(&log, Viewer::Spectator);
    log.submit(Seat::ALL[1], &crate::sample::choose(1, 1));
    let mut extended = export(&log, Viewer::Spectator);
    extended.note = old.note;
    let report = extended.verify(&Trust::default());
    assert_eq!(report.failure.unwrap().problem, Problem::NoteDiffers);
}

/// An intruder in the database can write and sign any log, but not with the service's key.
#[test]
fn another_key_of_the_same_name_is_not_trusted() {
    let log = &finished()[0];
    let mut forged = export(log, Viewer::Spectator);
    let head = audit::sign_head(&log.position, &signer(66));
    (forged.note, forged.public_key) = (head.note, head.public_key);
    let report = forged.verify(&pinned());
    assert_eq!(report.verdict, Verification::Refused);
    let failure = report.failure.unwrap();
    assert_eq!((failure.check, failure.problem), (LogCheck::Signature, Problem::OtherKey));
    assert_eq!(forged.verify(&Trust::default()).verdict, Verification::KeyUnknown);
}

/// The header names another service than the key does.
#[test]
fn a_key_signs_only_under_its_own_name() {
    let log = &finished()[0];
    let mut forged = export(log, Viewer::Spectator);
    "other.example".clone_into(&mut forged.header.service);
    assert_eq!(forged.verify(&Trust::default()).verdict, Verification::Refused);
}

/// The opening does not fit its commitment; everything else is honest.
#[test]
fn a_false_opening_is_detected_at_its_event() {
    let mut file = export(&finished()[2], Viewer::Spectator);
    let part = file.events[1].sealed.as_mut().unwrap();
    let mut name = part.opened.clone().unwrap().to_vec();
    name[40 - 8] ^= 1;
    part.opened = Some(name.into());
    let failure = file.verify(&pinned()).failure.unwrap();
    assert_eq!((failure.seq, failure.check), (Some(event::Seq(2)), LogCheck::Commitments));
}

/// Repeating an opening that the log makes itself would give one content two files.
#[test]
fn a_repeated_opening_is_refused() {
    let log = &finished()[2];
    let mut file = export(log, Viewer::Spectator);
    file.events[0].sealed.as_mut().unwrap().opened =
        log.events[0].sealed.as_ref().map(|sealed| sealed.as_bytes().clone());
    assert_eq!(file.verify(&pinned()).verdict, Verification::Refused);
}

#[test]
fn a_file_without_events_is_refused() {
    let mut file = export(&half_a_turn(), Viewer::Spectator);
    file.events.clear();
    assert_eq!(file.verify(&Trust::default()).verdict, Verification::Refused);
}

#[test]
fn an_empty_record_is_rejected() {
    let mut bytes = bytes(&half_a_turn(), Viewer::Spectator, FileForm::Binary);
    bytes.push(0);
    assert!(LogFile::read(&bytes).is_err());
}
