//! The report of `matchbookd archive`, as text or as JSON lines.

use std::time::Duration;

use serde_json::{Value, json};
use server::{RunStep, RunSummary, Settled};

use super::check_rules_report::counted;
use super::print;
use crate::exit_status::CommandFailure;

/// The report's format.
#[derive(Clone, Copy)]
pub(super) enum Report {
    Text,
    Json,
}

impl Report {
    /// Prints what a run would find.
    pub(super) fn plan(self, matches: u64, found: &Settled) -> Result<(), CommandFailure> {
        match self {
            Self::Json => line(&json!({"plan": {
                "matches": matches,
                "discard": ids(&found.discarded),
                "unknown": ids(&found.unknown),
                "missing": ids(&found.missing),
            }})),
            Self::Text => {
                let matches = counted(matches, "match is", "matches are");
                print(&format!("{matches} old enough to be archived; nothing was changed\n"))?;
                print(&settled_text(found, "would be discarded"))
            }
        }
    }

    /// Prints a step that an operator should know of.
    pub(super) fn step(self, step: &RunStep) -> Result<(), CommandFailure> {
        match (self, step) {
            (Self::Json, RunStep::Settled(found)) => line(&json!({"settled": {
                "discarded": ids(&found.discarded),
                "unknown": ids(&found.unknown),
                "missing": ids(&found.missing),
            }})),
            (Self::Text, RunStep::Settled(found)) => print(&settled_text(found, "was discarded")),
            (Self::Json, RunStep::Kept { match_id, what }) => {
                line(&json!({"kept": {"matchId": match_id.to_string(), "reason": what}}))
            }
            (Self::Text, RunStep::Kept { match_id, what }) => {
                print(&format!("match {match_id} stays in the database: {what}\n"))
            }
            (Self::Json, RunStep::Dropped(id, segment)) => line(&json!({"segment": {
                "id": id.to_string(),
                "matches": segment.matches,
                "events": segment.events,
                "bytes": segment.bytes,
            }})),
            (Self::Text, RunStep::Dropped(id, segment)) => {
                let matches = counted(segment.matches, "match", "matches");
                print(&format!("segment {id}: {matches}, {} bytes\n", segment.bytes))
            }
            (
                Self::Text | Self::Json,
                RunStep::Awaited(_)
                | RunStep::Verified(_)
                | RunStep::Announced(_)
                | RunStep::Written(_)
                | RunStep::ReadBack(_),
            ) => Ok(()),
        }
    }

    /// Prints the totals.
    pub(super) fn summary(self, summary: &RunSummary, elapsed: Duration) -> Result<(), CommandFailure> {
        let RunSummary { segments, matches, events, bytes, awaited, kept } = *summary;
        let seconds = elapsed.as_secs_f64();
        if matches!(self, Self::Json) {
            return line(&json!({"summary": {
                "segments": segments,
                "matches": matches,
                "events": events,
                "bytes": bytes,
                "awaited": awaited,
                "kept": kept,
                "seconds": seconds,
            }}));
        }
        let (archived, segments) =
            (counted(matches, "match", "matches"), counted(segments, "segment", "segments"));
        let mut text = format!("archived {archived} in {segments}, {bytes} bytes, in {seconds:.1} s\n");
        if awaited > 0 {
            let matches = counted(awaited, "match stays", "matches stay");
            text += &format!("{matches} until webhooks have their events; run the command again later\n");
        }
        print(&text)
    }
}

fn line(value: &Value) -> Result<(), CommandFailure> {
    print(&format!("{value}\n"))
}

fn ids<I: ToString>(all: &[I]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

fn settled_text(found: &Settled, discarded: &str) -> String {
    let each = |all: &[_], what: &str| -> String {
        ids::<server::SegmentId>(all).iter().map(|id| format!("segment {id} {what}\n")).collect()
    };
    each(&found.discarded, &format!("of an interrupted run {discarded}; its matches are in the database"))
        + &each(&found.unknown, "is unknown to this database, as after a restore; it is left alone")
        + &each(&found.missing, "is MISSING from the archive: restore it, or its matches can't be read")
}
