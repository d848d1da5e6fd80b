//! The report of a log file's verification, as text and as JSON.

use std::fmt::Write as _;
use std::path::Path;

use audit::{CheckOutcome, Remark, Report, Verification};
use board::{counted, printable};
use rules::VersionStatus;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::advice;

/// Returns the verdict, the checks that passed, and those that could not be made.
pub(crate) fn report_as_text(path: &Path, report: &Report) -> String {
    let mut text = format!("{}: {}\n", printable(&path.display().to_string()), report.verdict.as_str());
    let game = printable(&report.game);
    let _ = writeln!(
        text,
        "  {game}, match {}: {}, {}",
        report.match_id,
        counted(report.events, "event", "events"),
        counted(report.moves, "move", "moves")
    );
    let _ = writeln!(text, "  rules version {}: {}", report.rules_version, version_remark(report));
    if let Some(failure) = &report.failure {
        let place = failure.seq.map_or(String::new(), |seq| format!("event {seq}: "));
        let _ = writeln!(text, "  failed ({}): {place}{}", failure.check.as_str(), failure.problem);
    }
    match report.last_checked() {
        Some(0) => text.push_str("  not checked\n"),
        Some(seq) => {
            let _ = writeln!(text, "  not checked after event {seq}");
        }
        None => {}
    }
    let passed = report.checks.iter().filter(|(_, outcome)| matches!(outcome, CheckOutcome::Ok(_)));
    let passed: Vec<_> = passed.map(|(check, _)| check.as_str()).collect();
    if !passed.is_empty() {
        let _ = writeln!(text, "  ok: {}", passed.join(", "));
    }
    for (check, outcome) in &report.checks {
        if let CheckOutcome::NotCheckable(why) = outcome {
            let _ = writeln!(text, "  not checked: {}: {why}", check.as_str());
        }
    }
    for remark in &report.remarks {
        let _ = match remark {
            Remark::PlayerWithheld { seq } => {
                writeln!(text, "  the player of event {seq} was erased or is withheld")
            }
            Remark::ChoiceSealed { seq } => writeln!(text, "  the choice in event {seq} is sealed"),
        };
    }
    if let Some(key) = &report.signed_by {
        let _ = writeln!(text, "  signed by {key}");
    }
    if report.verdict == Verification::KeyUnknown {
        let _ = writeln!(
            text,
            "  next: compare this key with the service's own (GET /v1/keys) and pass it with --key"
        );
    }
    text
}

fn version_remark(report: &Report) -> &'static str {
    match report.version_status {
        VersionStatus::Current => "current",
        VersionStatus::Kept => "kept; newer matches have a newer one",
        VersionStatus::Missing => "missing in this build; use a build of the service's version",
    }
}

/// Returns the whole report as one object.
pub(crate) fn report_as_json(path: &Path, report: &Report) -> Value {
    let mut json = report.to_json();
    json["file"] = path.display().to_string().into();
    json
}

/// Returns the word for a file that was not verified: what it has is no log, or it could not be read at all.
fn verdict_without_report(failure: &Failure) -> &'static str {
    match failure {
        Failure::Unreadable { .. } => "unreadable",
        _ => "not_read",
    }
}

/// Returns the report of a file that cannot be read, as text.
pub(crate) fn unreadable_as_text(failure: &Failure) -> String {
    let next = advice(failure).map_or(String::new(), |advice| format!("  next: {advice}\n"));
    format!("{failure}\n  {}\n{next}", verdict_without_report(failure))
}

/// Returns the report of a file that cannot be read.
pub(crate) fn unreadable_as_json(path: &Path, failure: &Failure) -> Value {
    json!({
        "file": path.display().to_string(),
        "verdict": verdict_without_report(failure),
        "problem": failure.to_string(),
        "advice": advice(failure),
    })
}
