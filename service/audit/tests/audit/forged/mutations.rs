//! Random changes of the bytes of good logs, hashed and signed anew.

use std::fs;

use audit::{FileForm, LogFile};
use event::Seat;
use rules::{Dice, GameId, Options, Seed};
use serde_json::Value;

use super::Forger;
use super::ends::counted;
use crate::exported::{half_a_turn, pinned, public_key};
use crate::sample::{Log, random_match};
use crate::second_verifier::{taken_back, theirs};

/// Number of changed files of each log.
const CHANGES: usize = 150;

/// Returns the log up to an event.
fn good_logs() -> Vec<(Log, usize)> {
    let mut timed = Log::create_timed(
        Options::default_of(GameId::LudusMagus),
        Some(replay::ClockSettings {
            control: replay::TimeControl::Bank { bank_ms: 10_000, increment_ms: 2_000 },
            grace_ms: 250,
        }),
    )
    .claimed();
    timed.submit_random(&mut Dice::new(&Seed::new([6; 32])));
    timed.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
    let logs = [counted(), half_a_turn(), taken_back(), timed, random_match(GameId::AceExorcist, 8)];
    logs.into_iter().map(|log| (log, 12)).collect()
}

/// Changes a byte, or inserts or removes one.
fn change(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let at = |dice: &mut Dice, bytes: &[u8]| *dice.pick(&(0..bytes.len()).collect::<Vec<_>>()).unwrap();
    let byte = |dice: &mut Dice| *dice.pick(&[0, 1, 2, 8, 0x10, 0x18, 0x7f, 0x80, 0xff]).unwrap();
    match *dice.pick(&[0, 1, 2, 3, 4]).unwrap() {
        0 if !bytes.is_empty() => {
            let (at, bit) = (at(dice, bytes), *dice.pick(&[1, 2, 4, 8, 16, 32, 64, 128]).unwrap());
            bytes[at] ^= bit;
        }
        1 if !bytes.is_empty() => {
            let at = at(dice, bytes);
            bytes[at] = byte(dice);
        }
        2 if !bytes.is_empty() => {
            bytes.remove(at(dice, bytes));
        }
        3 if !bytes.is_empty() => {
            let copy = bytes[at(dice, bytes)..].to_vec();
            bytes.extend(copy);
        }
        _ => {
            let places: Vec<_> = (0..=bytes.len()).collect();
            bytes.insert(*dice.pick(&places).unwrap(), byte(dice));
        }
    }
}

/// Changes the public part of one of the first events, or the player that it seals.
fn mutated(log: &Log, events: usize, dice: &mut Dice) -> LogFile {
    let events = events.min(log.events.len());
    let index = *dice.pick(&(0..events).collect::<Vec<_>>()).unwrap();
    let is_claim = [1, 2].contains(&index);
    if is_claim && *dice.pick(&[true, false]).unwrap() {
        let mut player = log.events[index].sealed.as_ref().unwrap().secret().to_vec();
        change(&mut player, dice);
        return Forger::of(log).seal(index, &player).sign();
    }
    Forger::of(log).change_bytes(index, |bytes| change(bytes, dice)).sign()
}

/// Returns what is wrong with the second verifier's report, given ours on the same file.
fn disagreement(file: &LogFile, theirs: &Value) -> Option<String> {
    let report = file.verify(&pinned());
    let (ours, verdict) = (report.verdict.as_str(), theirs["verdict"].as_str()?);
    let agrees = match &report.failure {
        None => verdict == "incomplete",
        Some(failure) if verdict == "refused" => {
            theirs["failure"]["seq"].as_u64() == failure.seq.map(|seq| u64::from(seq.0))
        }
        Some(failure) => theirs["checks"][failure.check.as_str()]["outcome"] == "not_checkable",
    };
    (!agrees).then(|| format!("{ours}, {:?}: {theirs}", report.failure))
}

#[test]
fn both_verifiers_agree_on_randomly_changed_logs() {
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice::new(&Seed::new([3; 32]));
    let (mut changed, mut paths) = (Vec::new(), Vec::new());
    for (log, events) in good_logs() {
        for _ in 0..CHANGES {
            let file = mutated(&log, events, &mut dice);
            let path = folder.path().join(format!("{}.log", paths.len()));
            fs::write(&path, file.write(FileForm::Binary)).unwrap();
            paths.push(path);
            changed.push(file);
        }
    }
    let Some(reports) = theirs(&paths, Some(public_key().to_string())) else { return };
    assert_eq!(reports.len(), changed.len());
    let wrong: Vec<_> =
        changed.iter().zip(&reports).filter_map(|(file, report)| disagreement(file, report)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let refused = reports.iter().filter(|report| report["verdict"] == "refused").count();
    assert!(refused > changed.len() / 2, "only {refused} of {} are refused", changed.len());
}
