//! `matchbookd check-rules`: runs `play`'s replay of the stored matches with a progress bar.

use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use play::{Games, Selection};
use server::telemetry::TracePipeline;

use super::check_rules_report::{Report, counted};
use super::init_log;
use crate::arguments::CheckRulesArguments;
use crate::exit_status::{CommandFailure, ExitStatus};
use crate::similar::similar;

const BAR: &str = "{bar:30} {human_pos}/{human_len} matches, {per_sec}, {eta} left{msg}";

/// Replays the selected matches and reports the differences.
pub(crate) async fn check_rules(arguments: CheckRulesArguments) -> Result<(), CommandFailure> {
    init_log(&arguments.log, &TracePipeline::default())?;
    let database = arguments.database()?;
    let selection = arguments.selection();
    let report = if arguments.json { Report::Json } else { Report::Text };
    let archive = match arguments.archive()? {
        Some((archive, key_file, signing)) => {
            Some(archive.open_reader(&database, key_file.as_deref(), &signing)?)
        }
        None => None,
    };
    let reader = database.open_reader(archive).await.map_err(|error| CommandFailure::database(&error))?;

    let matches = play::count_stored(&reader, &selection).await;
    let matches = matches.map_err(|error| CommandFailure::database(&error))?;
    if matches == 0 {
        reject_unknown(&selection)?;
    }
    let progress = progress(matches);
    let start = Instant::now();
    let mut different = 0;
    let summary = play::check_rules(&reader, Games::built_in(), &selection, |replayed| {
        if let Some(difference) = &replayed.difference {
            different += 1;
            progress.set_message(format!(", {different} differ"));
            progress.suspend(|| report.difference(replayed, difference));
        }
        progress.inc(1);
    });
    let summary = summary.await.map_err(|error| CommandFailure::database(&error))?;
    progress.finish_and_clear();
    reader.close().await;
    report.summary(&summary, &selection, start.elapsed());
    match summary.different {
        0 => Ok(()),
        count => {
            let text = counted(count, "match differs", "matches differ");
            Err(CommandFailure::new(ExitStatus::RulesDiffer, &text))
        }
    }
}

/// Fails if a selection without stored matches names a match, or a game that this build does not have.
fn reject_unknown(selection: &Selection) -> Result<(), CommandFailure> {
    if let Some(id) = selection.match_id {
        let text = format!("the database has no match {id}");
        return Err(CommandFailure::new(ExitStatus::OtherFailure, &text));
    }
    let known = play::known_games();
    match &selection.game {
        Some(game) if !known.contains(&game.as_str()) => {
            let hint =
                similar(game, &known).map(|known| format!("; did you mean {known}?")).unwrap_or_default();
            let games = known.join(", ");
            Err(CommandFailure::usage(&format!("--game {game}: unknown game (known: {games}){hint}")))
        }
        _ => Ok(()),
    }
}

/// Returns a progress bar, which indicatif hides where standard error is not a terminal.
fn progress(matches: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(matches), ProgressDrawTarget::stderr());
    bar.with_style(ProgressStyle::with_template(BAR).expect("the template is well-formed"))
}
