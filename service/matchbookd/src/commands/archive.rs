//! `matchbookd archive`: moves finished matches out of the database, with a progress bar.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use server::telemetry::TracePipeline;
use server::{OpenArchiving, RunStep, RunSummary};

use super::archive_report::Report;
use super::init_log;
use crate::arguments::ArchiveArguments;
use crate::exit_status::{CommandFailure, ExitStatus};
use crate::signals::StopSignals;

const BAR: &str = "{bar:30} {human_pos}/{human_len} matches, {per_sec}, {eta} left{msg}";

/// Archives, or tells what would be archived.
pub(crate) async fn archive(arguments: ArchiveArguments) -> Result<(), CommandFailure> {
    init_log(&arguments.log, &TracePipeline::default())?;
    let report = if arguments.json { Report::Json } else { Report::Text };
    let dry_run = arguments.dry_run;
    let archiving = arguments.archiving()?;
    let mut opened = archiving.open().await?;
    let done = if dry_run { inspect(&mut opened, report).await } else { run(&mut opened, report).await };
    opened.close().await;
    done
}

async fn inspect(opened: &mut OpenArchiving, report: Report) -> Result<(), CommandFailure> {
    let matches = opened.run.count().await?;
    let settled = opened.run.inspect().await?;
    report.plan(matches, &settled)
}

async fn run(opened: &mut OpenArchiving, report: Report) -> Result<(), CommandFailure> {
    let progress = progress(opened.run.count().await?);
    let (stop, start) = (stop_flag()?, Instant::now());
    let mut on_step = |step: RunStep| {
        if matches!(step, RunStep::Verified(_) | RunStep::Kept { .. } | RunStep::Awaited(_)) {
            progress.inc(1);
        }
        let _ = progress.suspend(|| report.step(&step));
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let summary: RunSummary = opened.run.run(&mut on_step).await?;
    progress.finish_and_clear();
    report.summary(&summary, start.elapsed())?;
    match summary.kept {
        0 => Ok(()),
        _ => {
            let text = "matches that do not replay with this build stay in the database";
            Err(CommandFailure::new(ExitStatus::RulesDiffer, &text))
        }
    }
}

/// Returns a flag that the first signal sets. The run then ends after its current step.
fn stop_flag() -> Result<Arc<AtomicBool>, CommandFailure> {
    let signals =
        StopSignals::install().map_err(|error| CommandFailure::new(ExitStatus::OtherFailure, &error))?;
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    tokio::spawn(async move {
        signals.first().await;
        flag.store(true, Ordering::Relaxed);
    });
    Ok(stop)
}

/// Returns a progress bar, which indicatif hides where standard error is not a terminal.
fn progress(matches: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(matches), ProgressDrawTarget::stderr());
    bar.with_style(ProgressStyle::with_template(BAR).expect("the template is well-formed"))
}
