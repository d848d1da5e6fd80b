//! Forged logs, whose author hashes and signs anew: both verifiers refuse each at the same event for the same
//! reason, or the second one says that it has not made the check. `tests/forged` has the files, for other
//! verifiers; `MATCHBOOK_BLESS=1` writes them.

mod canonical;
mod clocks;
mod ends;
mod entries;
mod forger;
mod mutations;
mod openings;
mod order;
mod versions;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use audit::{CheckOutcome, FileForm, LogCheck, LogFile, Verification};
use serde_json::{Value, json};

use crate::exported::{pinned, public_key};
use crate::second_verifier::{theirs, theirs_as_text};

pub(crate) use forger::Forger;

/// A log file, and what verifiers say of it.
pub(crate) struct Sample {
    name: String,
    file: LogFile,
    expected: Expected,
    /// Whether the second verifier can see what is wrong.
    needs_rules: bool,
}

/// What a verifier with the rules says.
enum Expected {
    /// The check that fails, at this event.
    Refused(u32, LogCheck),
    /// No check fails: a control for the forged ones.
    Fine(Verification),
}

/// Returns a file that both verifiers refuse at the same event.
fn refused(name: impl Into<String>, forger: Forger, seq: u32, check: LogCheck) -> Sample {
    let expected = Expected::Refused(seq, check);
    Sample { name: name.into(), file: forger.sign(), expected, needs_rules: false }
}

/// Returns a file that nobody can refuse without the rules.
fn illegal(name: impl Into<String>, forger: Forger, seq: u32, check: LogCheck) -> Sample {
    Sample { needs_rules: true, ..refused(name, forger, seq, check) }
}

/// Returns a file in which no check fails.
fn fine(name: impl Into<String>, forger: Forger, verdict: Verification) -> Sample {
    let expected = Expected::Fine(verdict);
    Sample { name: name.into(), file: forger.sign(), expected, needs_rules: false }
}

fn samples() -> Vec<Sample> {
    let samples: Vec<_> = [
        ends::samples(),
        clocks::samples(),
        order::samples(),
        versions::samples(),
        openings::samples(),
        canonical::samples(),
    ]
    .into_iter()
    .flatten()
    .collect();
    let names: BTreeSet<_> = samples.iter().map(|sample| &sample.name).collect();
    assert_eq!(names.len(), samples.len(), "each sample has a name of its own");
    samples
}

/// Returns our own report as the table of expectations has it.
fn ours(sample: &Sample) -> Value {
    let (file, _) = LogFile::read(&sample.file.write(FileForm::Json)).expect(&sample.name);
    let report = file.verify(&pinned());
    json!({ "verdict": report.verdict.as_str(), "failure": report.failure.map(|failure| json!({
        "seq": failure.seq.map(|seq| seq.0),
        "check": failure.check.as_str(),
        "problem": failure.problem.to_string(),
    })) })
}

/// Returns whether a report of ours is as expected.
fn is_as_expected(sample: &Sample, ours: &Value) -> bool {
    let failure = &ours["failure"];
    match sample.expected {
        Expected::Refused(seq, check) => failure["seq"] == seq && failure["check"] == check.as_str(),
        Expected::Fine(verdict) => failure.is_null() && ours["verdict"] == verdict.as_str(),
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/forged")
}

/// Compares a file with its kept copy, or writes that.
fn keep(name: &str, bytes: &[u8]) {
    let path = folder().join(name);
    if std::env::var_os("MATCHBOOK_BLESS").is_some() {
        fs::create_dir_all(folder()).unwrap();
        fs::write(path, bytes).unwrap();
    } else {
        assert!(
            fs::read(&path).is_ok_and(|kept| kept == bytes),
            "{name} differs; MATCHBOOK_BLESS=1 writes it"
        );
    }
}

#[test]
fn both_verifiers_say_the_same_of_every_forged_log() {
    let samples = samples();
    let mut expectations = Vec::new();
    let (mut files, mut wrong) = (Vec::new(), Vec::new());
    for sample in &samples {
        let name = format!("{}.jsonl", sample.name);
        keep(&name, &sample.file.write(FileForm::Json));
        files.push(folder().join(&name));
        let ours = ours(sample);
        if !is_as_expected(sample, &ours) {
            wrong.push(format!("{name}: we say {ours}"));
        }
        let theirs = match (sample.needs_rules, ours["verdict"].as_str()) {
            (true, _) | (false, Some("verified")) => json!({ "verdict": "incomplete", "failure": null }),
            _ => ours.clone(),
        };
        expectations.push(json!({ "file": name, "withRules": ours, "withoutRules": theirs }));
    }
    let lines: Vec<_> = expectations.iter().map(|line| format!("{line}\n")).collect();
    keep("expected.jsonl", lines.concat().as_bytes());
    if let Some(reports) = theirs(&files, Some(public_key().to_string())) {
        assert_eq!(reports.len(), samples.len());
        for ((sample, expected), report) in samples.iter().zip(&expectations).zip(&reports) {
            let found = json!({ "verdict": report["verdict"], "failure": report["failure"] });
            if found != expected["withoutRules"] || !is_candid(sample, report) {
                wrong.push(format!("{expected}: the second verifier says {report}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_second_verifier_counts_one_move_and_says_what_to_do_about_an_unknown_key() {
    let files = ["late-move.jsonl", "control-abort.jsonl"].map(|name| folder().join(name));
    let Some(text) = theirs_as_text(&files) else { return };
    assert!(text.contains(": 5 events, 1 move\n"), "{text}");
    let advice = "  next: compare this key with the service's own (GET /v1/keys) and pass it with --key\n";
    assert!(text.ends_with(advice), "{text}");
    assert_eq!(text.matches(advice).count(), 1, "{text}");
}

/// Nothing of a forged file reaches a terminal that could change what it shows.
#[test]
fn the_second_verifier_prints_no_invisible_characters() {
    let files: Vec<_> =
        samples().iter().map(|sample| folder().join(format!("{}.jsonl", sample.name))).collect();
    let Some(text) = theirs_as_text(&files) else { return };
    assert!(text.contains("mur\u{fffd}mur\u{fffd}"), "{text}");
    let bad: Vec<_> = text.chars().filter(|c| is_invisible(*c)).collect();
    assert!(bad.is_empty(), "{bad:?}");
}

fn is_invisible(c: char) -> bool {
    (c.is_control() && c != '\n') || ('\u{200b}'..='\u{202e}').contains(&c) || c > '\u{e0000}'
}

#[test]
fn no_file_is_left_of_an_earlier_table() {
    let kept = fs::read_dir(folder()).unwrap().count();
    assert_eq!(kept, samples().len() + 1, "a file for each sample, and the expectations");
}

/// Returns whether a report of the second verifier says that it has not made the check that fails, if that
/// needs the rules.
fn is_candid(sample: &Sample, report: &Value) -> bool {
    match sample.expected {
        Expected::Refused(_, check) if sample.needs_rules => {
            report["checks"][check.as_str()]["outcome"] == "not_checkable"
        }
        _ => true,
    }
}

/// Nothing is said about what comes after a wrong event.
#[test]
fn after_a_wrong_event_nothing_is_said_of_the_rest() {
    for sample in samples() {
        let Expected::Refused(_, failed) = sample.expected else { continue };
        let report = sample.file.verify(&pinned());
        assert_eq!((&report.result, report.remarks.len()), (&None, 0), "{}", sample.name);
        for (check, outcome) in report.checks {
            let allowed = [CheckOutcome::NotReached, CheckOutcome::Failed];
            assert!(allowed.contains(&outcome), "{}: {check:?} is {outcome:?}", sample.name);
            assert_eq!(outcome == CheckOutcome::Failed, check == failed, "{}: {check:?}", sample.name);
        }
    }
}
