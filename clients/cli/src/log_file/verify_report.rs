//! The report of a log file's verification, as text and as JSON.

use std::fmt::Write as _;
use std::path::Path;

use audit::{CheckOutcome, Remark, Report, Verification};
use board::{counted, printable};
use rules::VersionStatus;
use serde_json::{Map, Value, json};

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
    match last_checked(report) {
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
    let checks: Map<String, Value> = report
        .checks
        .iter()
        .map(|(check, outcome)| (check.as_str().to_owned(), outcome_as_json(outcome, last_checked(report))))
        .collect();
    let remarks = report.remarks.iter().map(|remark| match remark {
        Remark::PlayerWithheld { seq } => json!({ "remark": "player_withheld", "seq": seq.0 }),
        Remark::ChoiceSealed { seq } => json!({ "remark": "choice_sealed", "seq": seq.0 }),
    });
    let failure = report.failure.as_ref().map(|failure| {
        let (check, problem) = (failure.check.as_str(), failure.problem.to_string());
        json!({ "seq": failure.seq.map(|seq| seq.0), "check": check, "problem": problem })
    });
    let result =
        report.result.as_ref().map(|result| json!({ "winner": result.winner(), "reason": result.reason }));
    json!({
        "file": path.display().to_string(),
        "verdict": report.verdict.as_str(),
        "matchId": report.match_id.to_string(),
        "game": report.game,
        "rulesVersion": report.rules_version,
        "rulesVersionStatus": report.version_status.as_str(),
        "events": report.events,
        "moves": report.moves,
        "headHash": report.head_hash.map(hex),
        "result": result,
        "signedBy": report.signed_by.as_ref().map(ToString::to_string),
        "checks": checks,
        "remarks": remarks.collect::<Vec<_>>(),
        "failure": failure,
    })
}

/// Returns the report of a file that cannot be read, as text.
pub(crate) fn unreadable_as_text(failure: &Failure) -> String {
    let next = advice(failure).map_or(String::new(), |advice| format!("  next: {advice}\n"));
    format!("{failure}\n  unreadable\n{next}")
}

/// Returns the report of a file that cannot be read.
pub(crate) fn unreadable_as_json(path: &Path, failure: &Failure) -> Value {
    json!({
        "file": path.display().to_string(),
        "verdict": "unreadable",
        "problem": failure.to_string(),
        "advice": advice(failure),
    })
}

/// Returns the seq of the event before the wrong one, if an event is wrong.
fn last_checked(report: &Report) -> Option<u32> {
    report.failure.as_ref().and_then(|failure| failure.seq).map(|seq| seq.0.saturating_sub(1))
}

fn outcome_as_json(outcome: &CheckOutcome, last_checked: Option<u32>) -> Value {
    match outcome {
        CheckOutcome::Ok(count) => json!({ "outcome": "ok", "count": count }),
        CheckOutcome::NotNeeded(why) => json!({ "outcome": "not_needed", "why": why }),
        CheckOutcome::NotCheckable(why) => json!({ "outcome": "not_checkable", "why": why }),
        CheckOutcome::Failed => json!({ "outcome": "failed" }),
        CheckOutcome::NotReached => json!({ "outcome": "not_reached", "afterSeq": last_checked }),
    }
}

fn hex(hash: [u8; 32]) -> String {
    hash.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
