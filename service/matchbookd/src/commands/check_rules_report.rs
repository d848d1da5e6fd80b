//! The report of `matchbookd check-rules`, as text or as JSON lines.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::Duration;

use play::{Difference, MatchReplay, RulesInUse, Selection, Summary, VersionStatus};
use serde_json::{Value, json};

/// The report's format.
#[derive(Clone, Copy)]
pub(super) enum Report {
    Text,
    Json,
}

impl Report {
    /// Prints a match that does not replay.
    pub(super) fn difference(self, replayed: &MatchReplay, difference: &Difference) {
        match self {
            Self::Text => print_line(&difference_line(replayed, difference)),
            Self::Json => {
                print_line(&json!({"difference": difference_json(replayed, difference)}).to_string());
            }
        }
    }

    /// Prints the totals.
    pub(super) fn summary(self, summary: &Summary, selection: &Selection, elapsed: Duration) {
        match self {
            Self::Text => print_line(&summary_text(summary, selection, elapsed)),
            Self::Json => print_line(&json!({"summary": summary_json(summary, elapsed)}).to_string()),
        }
    }
}

/// Prints a line; if the reader closed the pipe, the exit code still reports the result.
fn print_line(text: &str) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

fn difference_line(replayed: &MatchReplay, difference: &Difference) -> String {
    let rules = rules_name(&replayed.game, replayed.rules_version);
    let mut line = format!("match {} ({rules}): ", replayed.match_id);
    if let Some(seq) = difference.seq {
        let kind = difference.kind.as_ref().map_or_else(String::new, |kind| format!(", {kind}"));
        let _ = write!(line, "event {seq}{kind}: ");
    }
    let _ = write!(line, "{} ({})", difference.reason, difference.check);
    line
}

fn difference_json(replayed: &MatchReplay, difference: &Difference) -> Value {
    json!({
        "matchId": replayed.match_id.to_string(),
        "game": replayed.game,
        "rulesVersion": replayed.rules_version,
        "seq": difference.seq.map(|seq| seq.0),
        "kind": difference.kind,
        "check": difference.check,
        "reason": difference.reason,
    })
}

fn summary_text(summary: &Summary, selection: &Selection, elapsed: Duration) -> String {
    let matches = counted(summary.matches, "match", "matches");
    let events = counted(summary.events, "event", "events");
    let replay = summary.matches - summary.different;
    let speed = per_second(summary.events, elapsed);
    let mut text = format!(
        "{matches}, {events} in {:.1} s ({speed} events/s): {replay} replay, {} differ\n",
        elapsed.as_secs_f64(),
        summary.different
    );
    if summary.archived > 0 {
        let archived = counted(summary.archived, "archived match was", "archived matches were");
        let _ = writeln!(text, "{archived} not replayed: name their archive with --archive URL");
    }
    let everything = *selection == Selection::default();
    text += if everything {
        "\nRules versions used by stored matches:\n"
    } else {
        "\nRules versions used by the selected matches:\n"
    };
    for rules in summary.rules.iter().filter(|rules| everything || rules.matches() > 0) {
        let name = rules_name(&rules.game, rules.rules_version);
        let counts = match rules.matches() {
            0 => "none".to_owned(),
            _ => format!("{} open, {} running, {} over", rules.open, rules.running, rules.over),
        };
        let _ = writeln!(text, "  {name}: {counts}{}", remark(rules, summary.archived));
    }
    // What was not replayed may need any version.
    if everything && summary.archived == 0 {
        text +=
            "No stored match uses any other rules version. A kept version without matches can be removed.";
    }
    text.trim_end().to_owned()
}

fn remark(rules: &RulesInUse, not_replayed: u64) -> &'static str {
    match (rules.version_status, rules.matches()) {
        (VersionStatus::Current, 0) => " yet; current",
        (VersionStatus::Current, _) => "; current",
        (VersionStatus::Kept, 0) if not_replayed == 0 => "; kept, but no longer needed",
        (VersionStatus::Kept, _) => "; kept",
        (VersionStatus::Missing, _) => "; NOT IN THIS BUILD",
    }
}

fn summary_json(summary: &Summary, elapsed: Duration) -> Value {
    let rules = summary.rules.iter().map(|rules| {
        json!({
            "game": rules.game,
            "rulesVersion": rules.rules_version,
            "standing": rules.version_status.as_str(),
            "open": rules.open,
            "running": rules.running,
            "over": rules.over,
        })
    });
    json!({
        "matches": summary.matches,
        "different": summary.different,
        "archived": summary.archived,
        "events": summary.events,
        "seconds": elapsed.as_secs_f64(),
        "eventsPerSecond": per_second(summary.events, elapsed),
        "rules": rules.collect::<Vec<_>>(),
    })
}

fn rules_name(game: &str, version: Option<u32>) -> String {
    match version {
        Some(version) => format!("{game}, rules version {version}"),
        None => format!("{game}, rules version unknown"),
    }
}

fn per_second(events: u64, elapsed: Duration) -> u64 {
    let micros = elapsed.as_micros().max(1);
    u64::try_from(u128::from(events) * 1_000_000 / micros).unwrap_or(u64::MAX)
}

/// Formats a count with its noun in the singular or plural.
pub(super) fn counted(count: u64, singular: &str, plural: &str) -> String {
    format!("{count} {}", if count == 1 { singular } else { plural })
}
