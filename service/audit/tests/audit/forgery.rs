//! Files that were tampered with: never verified, never a panic.

use audit::{Check, FileForm, LogFile, Problem, Trust, Verification};
use rules::Viewer;

use crate::exported::{bytes, export, finished, half_a_turn, pinned, signer};

/// Whether anybody could take the bytes for an honest file.
fn is_taken(bytes: &[u8], trust: &Trust) -> bool {
    LogFile::read(bytes).is_ok_and(|(file, _)| file.verify(trust).verdict != Verification::Refused)
}

fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
}

#[test]
fn every_flipped_byte_of_a_file_is_noticed() {
    let mut log = half_a_turn();
    log.grow(|decision| decision.resign(rules::Seat::One).unwrap());
    for (form, trust) in [(FileForm::Json, pinned()), (FileForm::Binary, Trust::default())] {
        let whole = bytes(&log, Viewer::Spectator, form);
        assert!(is_taken(&whole, &trust));
        for at in 0..whole.len() {
            for bit in [0x01, 0x20] {
                let mut changed = whole.clone();
                changed[at] ^= bit;
                assert!(!is_taken(&changed, &trust), "{form:?}: byte {at}, bit {bit:#x}");
            }
        }
    }
}

#[test]
fn some_flipped_bytes_of_every_games_file_are_noticed() {
    let trust = pinned();
    for log in finished() {
        let whole = bytes(&log, Viewer::Spectator, FileForm::Binary);
        for at in (0..whole.len()).step_by(whole.len() / 25 + 1) {
            let mut changed = whole.clone();
            changed[at] ^= 4;
            assert!(!is_taken(&changed, &trust), "byte {at}");
        }
    }
}

#[test]
fn lines_left_out_doubled_swapped_or_of_another_match_are_noticed() {
    let logs = finished();
    let whole = lines(&bytes(&logs[2], Viewer::Spectator, FileForm::Json));
    let mut other = crate::sample::Log::create_of(logs[2].position.options().clone()).claimed();
    other.play_out(77);
    let other = lines(&bytes(&other, Viewer::Spectator, FileForm::Json));
    for at in 0..whole.len() {
        let mut missing = whole.clone();
        missing.remove(at);
        let mut doubled = whole.clone();
        doubled.insert(at, whole[at].clone());
        let mut swapped = whole.clone();
        swapped.swap(at, (at + 1) % whole.len());
        for changed in [missing, doubled, swapped] {
            assert!(!is_taken(&changed.concat(), &Trust::default()), "line {at}");
        }
        if other.get(at).is_some_and(|line| *line != whole[at]) {
            let mut spliced = whole.clone();
            spliced[at].clone_from(&other[at]);
            assert!(!is_taken(&spliced.concat(), &Trust::default()), "line {at}");
        }
    }
}

/// The tail is cut at an event and the old head put under it.
#[test]
fn a_cut_tail_does_not_fit_the_signed_head() {
    let whole = lines(&bytes(&finished()[2], Viewer::Spectator, FileForm::Json));
    for keep in 1..whole.len() - 1 {
        let cut = [whole[..keep].concat(), whole[whole.len() - 1].clone()].concat();
        assert!(!is_taken(&cut, &Trust::default()), "after {keep} lines");
    }
}

#[test]
fn a_later_event_does_not_fit_the_signed_head() {
    let mut log = half_a_turn();
    let old = export(&log, Viewer::Spectator);
    log.submit(rules::Seat::One, &crate::sample::choose(1, 1));
    let mut extended = export(&log, Viewer::Spectator);
    extended.note = old.note;
    let report = extended.verify(&Trust::default());
    assert_eq!(report.failure.unwrap().problem, Problem::NoteDiffers);
}

/// Whoever owns the database can write any log and sign it, but not with the service's key.
#[test]
fn signed_by_another_key_of_the_same_name() {
    let log = &finished()[0];
    let mut forged = export(log, Viewer::Spectator);
    let head = audit::sign_head(&log.position, &signer(66));
    (forged.note, forged.public_key) = (head.note, head.public_key);
    let report = forged.verify(&pinned());
    assert_eq!(report.verdict, Verification::Refused);
    let failure = report.failure.unwrap();
    assert_eq!((failure.check, failure.problem), (Check::Signature, Problem::OtherKey));
    assert_eq!(forged.verify(&Trust::default()).verdict, Verification::KeyUnknown);
}

/// The note of the service's key under the name of another service.
#[test]
fn a_key_signs_under_its_own_name_only() {
    let log = &finished()[0];
    let mut forged = export(log, Viewer::Spectator);
    "other.example".clone_into(&mut forged.header.service);
    assert_eq!(forged.verify(&Trust::default()).verdict, Verification::Refused);
}

/// An opened part that the log does not commit to, in a file that is otherwise honest.
#[test]
fn a_false_opening_is_found_at_its_event() {
    let mut file = export(&finished()[2], Viewer::Spectator);
    let part = file.events[1].sealed.as_mut().unwrap();
    let mut name = part.opened.clone().unwrap().to_vec();
    name[40 - 8] ^= 1;
    part.opened = Some(name.into());
    let failure = file.verify(&pinned()).failure.unwrap();
    assert_eq!((failure.seq, failure.check), (Some(event::Seq(2)), Check::Commitments));
}

/// What the log opens by itself is not told a second time: there is one file for one content.
#[test]
fn an_opening_that_a_later_event_repeats_is_refused() {
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
fn an_empty_record_is_refused() {
    let mut bytes = bytes(&half_a_turn(), Viewer::Spectator, FileForm::Binary);
    bytes.push(0);
    assert!(LogFile::read(&bytes).is_err());
}
