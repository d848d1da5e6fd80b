//! `matchbookd check-rules`: how the replay of everything stored is shown. The replay itself is `play`'s.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use journal::ReadError;
use play::{Difference, Replayed, RulesInUse, Selection, Standing, Summary};
use serde_json::{Value, json};
use server::ExitStatus;
use server::telemetry::Traces;

use crate::arguments::CheckRulesArguments;
use crate::{Failure, begin_log};

const BAR: &str = "{bar:30} {human_pos}/{human_len} matches, {per_sec}, {eta} left{msg}";

/// Replays what is stored and tells what came of it.
pub(crate) async fn run(arguments: CheckRulesArguments) -> Result<(), Failure> {
    begin_log(&arguments.log, &Traces::default())?;
    let database = arguments.database().map_err(|text| Failure::new(ExitStatus::Usage, &text))?;
    let reader = database.open_reader().await.map_err(|error| Failure::new(ExitStatus::Database, &error))?;
    let selection = arguments.selection();
    let output = if arguments.json { Output::Json } else { Output::Text };

    let matches = play::count_stored(&reader, &selection).await.map_err(unreadable)?;
    if let (0, Some(id)) = (matches, selection.match_id) {
        return Err(Failure::new(ExitStatus::Failed, &format!("the database has no match {id}")));
    }
    let progress = progress(matches);
    let began = Instant::now();
    let mut different = 0;
    let summary = play::check_rules(&reader, &selection, |replayed| {
        if let Some(difference) = &replayed.difference {
            different += 1;
            progress.set_message(format!(", {different} differ"));
            progress.suspend(|| output.difference(replayed, difference));
        }
        progress.inc(1);
    });
    let summary = summary.await.map_err(unreadable)?;
    progress.finish_and_clear();
    reader.close().await;
    output.summary(&summary, &selection, began.elapsed());
    match summary.different {
        0 => Ok(()),
        count => {
            Err(Failure::new(ExitStatus::RulesDiffer, &counted(count, "match differs", "matches differ")))
        }
    }
}

fn unreadable(error: ReadError) -> Failure {
    Failure::new(ExitStatus::Database, &error)
}

/// A bar where somebody sees it.
fn progress(matches: u64) -> ProgressBar {
    // indicatif hides it where standard error is no terminal.
    let bar = ProgressBar::with_draw_target(Some(matches), ProgressDrawTarget::stderr());
    bar.with_style(ProgressStyle::with_template(BAR).expect("the template is well-formed"))
}

/// How it is told.
#[derive(Clone, Copy)]
enum Output {
    Text,
    Json,
}

impl Output {
    fn difference(self, replayed: &Replayed, difference: &Difference) {
        match self {
            Self::Text => say(&difference_line(replayed, difference)),
            Self::Json => say(&json!({"difference": difference_json(replayed, difference)}).to_string()),
        }
    }

    fn summary(self, summary: &Summary, selection: &Selection, took: Duration) {
        match self {
            Self::Text => say(&summary_text(summary, selection, took)),
            Self::Json => say(&json!({"summary": summary_json(summary, took)}).to_string()),
        }
    }
}

/// Whoever reads may have gone; the exit code still says how it went.
fn say(text: &str) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

fn difference_line(replayed: &Replayed, difference: &Difference) -> String {
    let rules = rules_name(&replayed.game, replayed.rules_version);
    let mut line = format!("match {} ({rules}): ", replayed.match_id);
    if let (Some(seq), Some(kind)) = (difference.seq, &difference.kind) {
        let _ = write!(line, "event {seq}, {kind}: ");
    }
    let _ = write!(line, "{} ({})", difference.reason, difference.check);
    line
}

fn difference_json(replayed: &Replayed, difference: &Difference) -> Value {
    json!({
        "matchId": replayed.match_id.to_string(),
        "game": replayed.game,
        "rulesVersion": replayed.rules_version,
        "seq": difference.seq,
        "kind": difference.kind,
        "check": difference.check,
        "reason": difference.reason,
    })
}

fn summary_text(summary: &Summary, selection: &Selection, took: Duration) -> String {
    let matches = counted(summary.matches, "match", "matches");
    let events = counted(summary.events, "event", "events");
    let replay = summary.matches - summary.different;
    let speed = per_second(summary.events, took);
    let mut text = format!(
        "{matches}, {events} in {:.1} s ({speed} events/s): {replay} replay, {} differ\n",
        took.as_secs_f64(),
        summary.different
    );
    let whole = *selection == Selection::default();
    text +=
        if whole { "\nRules versions that stored matches need:\n" } else { "\nRules versions of these:\n" };
    for rules in summary.rules.iter().filter(|rules| whole || rules.matches() > 0) {
        let name = rules_name(&rules.game, rules.rules_version);
        let counts = match rules.matches() {
            0 => "none".to_owned(),
            _ => format!("{} open, {} running, {} over", rules.open, rules.running, rules.over),
        };
        let _ = writeln!(text, "  {name}: {counts}{}", remark(rules));
    }
    if whole {
        text += "What is not listed here is needed by no stored match, and may go from the code.";
    }
    text.trim_end().to_owned()
}

fn remark(rules: &RulesInUse) -> &'static str {
    match (rules.standing, rules.matches()) {
        (Standing::New, 0) => " yet; new matches are played by it",
        (Standing::New, _) => "; new matches are played by it",
        (Standing::Kept, _) => "",
        (Standing::Missing, _) => "; NOT IN THIS BUILD",
    }
}

fn summary_json(summary: &Summary, took: Duration) -> Value {
    let rules = summary.rules.iter().map(|rules| {
        json!({
            "game": rules.game,
            "rulesVersion": rules.rules_version,
            "standing": rules.standing.as_str(),
            "open": rules.open,
            "running": rules.running,
            "over": rules.over,
        })
    });
    json!({
        "matches": summary.matches,
        "different": summary.different,
        "events": summary.events,
        "seconds": took.as_secs_f64(),
        "eventsPerSecond": per_second(summary.events, took),
        "rules": rules.collect::<Vec<_>>(),
    })
}

fn rules_name(game: &str, version: Option<u32>) -> String {
    match version {
        Some(version) => format!("{game}, rules version {version}"),
        None => format!("{game}, rules version unknown"),
    }
}

fn per_second(events: u64, took: Duration) -> u64 {
    let micros = took.as_micros().max(1);
    u64::try_from(u128::from(events) * 1_000_000 / micros).unwrap_or(u64::MAX)
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
