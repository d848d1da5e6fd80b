//! Random changes of the bytes of good logs, hashed and signed anew.

use std::fs;

use audit::{FileForm, LogFile};
use event::Seat;
use replay::{ClockSettings, Entry, TimeControl};
use rules::{Dice, GameId, Options, Seed};
use serde_json::Value;

use super::Forger;
use super::ends::counted;
use crate::exported::{half_a_turn, pinned, public_key};
use crate::sample::{Log, START, random_match};
use crate::second_verifier::{taken_back, theirs};

/// Number of changed files of each log.
const CHANGES: usize = 150;

/// Returns logs, each with the number of its first events that are changed.
fn good_logs() -> Vec<(Log, usize)> {
    let timed = timed(GameId::LudusMagus, TimeControl::Bank { bank_ms: 10_000, increment_ms: 2_000 });
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
    let forger = if *dice.pick(&[true, false]).unwrap() { Forger::of(log) } else { of_unknown_version(log) };
    let events = events.min(log.events.len());
    let index = *dice.pick(&(0..events).collect::<Vec<_>>()).unwrap();
    let is_claim = [1, 2].contains(&index);
    if is_claim && *dice.pick(&[true, false]).unwrap() {
        let mut player = log.events[index].sealed.as_ref().unwrap().secret().to_vec();
        change(&mut player, dice);
        return forger.seal(index, &player).sign();
    }
    forger.change_bytes(index, |bytes| change(bytes, dice)).sign()
}

/// Pins a log to a rules version that nobody has.
pub(super) fn of_unknown_version(log: &Log) -> Forger {
    let game = log.position.game().as_str();
    let forger = Forger::of(log).change(0, |entry| {
        let Entry::MatchCreated(created) = entry else { panic!("event 1 creates") };
        created.terms.as_mut().unwrap().rules_version = 99;
    });
    forger.pinned_to(game, 99)
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

/// Compares the verifiers on files, and returns how many the second one refuses.
fn agreed(files: &[LogFile]) -> Option<usize> {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> = (0..files.len()).map(|at| folder.path().join(format!("{at}.log"))).collect();
    for (file, path) in files.iter().zip(&paths) {
        fs::write(path, file.write(FileForm::Binary)).unwrap();
    }
    let reports = theirs(&paths, Some(public_key().to_string()))?;
    assert_eq!(reports.len(), files.len());
    let wrong: Vec<_> =
        files.iter().zip(&reports).filter_map(|(file, report)| disagreement(file, report)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Some(reports.iter().filter(|report| report["verdict"] == "refused").count())
}

#[test]
fn both_verifiers_agree_on_randomly_changed_logs() {
    let mut dice = Dice::new(&Seed::new([3; 32]));
    let mut files = Vec::new();
    for (log, events) in good_logs() {
        files.extend((0..CHANGES).map(|_| mutated(&log, events, &mut dice)));
    }
    let Some(refused) = agreed(&files) else { return };
    assert!(refused > files.len() / 2, "only {refused} of {} are refused", files.len());
}

/// Plays six moves with clocks, until a seat resigns.
fn timed(game: GameId, control: TimeControl) -> Log {
    let settings = ClockSettings { control, grace_ms: 250 };
    let mut log = Log::create_timed(Options::default_of(game), Some(settings)).claimed();
    let mut dice = Dice::new(&Seed::new([4; 32]));
    for _ in 0..6 {
        log.submit_random(&mut dice);
    }
    log.grow(|decision| decision.resign(Seat::ALL[1]).unwrap());
    log
}

#[test]
fn both_verifiers_agree_on_the_clocks_of_logs_with_other_times() {
    const CONTROLS: [TimeControl; 2] =
        [TimeControl::PerMove { move_ms: 1_000 }, TimeControl::Bank { bank_ms: 3_000, increment_ms: 500 }];
    let mut dice = Dice::new(&Seed::new([3; 32]));
    let mut files = Vec::new();
    for (game, control) in GameId::ALL.into_iter().flat_map(|game| CONTROLS.map(|control| (game, control))) {
        let log = timed(game, control);
        for _ in 0..CHANGES / 5 {
            let mut at = START;
            let mut forger = Forger::of(&log);
            for index in 1..log.events.len() {
                at += *dice.pick(&[1, 1, 1_000, 400_000, 990_000, 1_250_000, 1_250_001]).unwrap();
                forger = forger.record_at(index, at);
            }
            files.push(forger.sign());
        }
    }
    let Some(refused) = agreed(&files) else { return };
    assert!((1..files.len()).contains(&refused), "{refused} of {} are refused", files.len());
}
