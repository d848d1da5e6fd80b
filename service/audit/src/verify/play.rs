//! The checks that need the rules: the deal, the moves, the digests, the clocks and the result.

use event::RedactedEvent;
use replay::{Entry, Fault, MatchPhase, Position};
use rules::Games;

use super::{LogCheck, Report};
use crate::LogFile;

/// Replays the log under the rules that it is pinned to.
pub(super) fn check(
    file: &LogFile,
    games: Games,
    events: &[RedactedEvent],
    entries: &[Entry],
    report: &mut Report,
) {
    let mut position: Option<Position> = None;
    for event in &events[..entries.len()] {
        let applied = match &mut position {
            None => {
                let first = Position::start(games, file.header.match_id, event);
                first.map(|(first, _)| position = Some(first))
            }
            Some(position) => position.apply(event).map(drop),
        };
        match applied.map_err(|error| error.fault) {
            Ok(()) => {}
            Err(fault @ (Fault::SeedSealed | Fault::UnknownRules { .. })) => return skip(&fault, report),
            Err(fault) => return report.fail_at(event.seq, fault),
        }
    }
    if let Some(position) = position
        && report.failure.is_none()
    {
        record(&position, entries, report);
    }
}

/// Records that the rules could not be applied.
fn skip(fault: &Fault, report: &mut Report) {
    let why = match fault {
        Fault::UnknownRules { .. } => "this build does not have the rules of this match",
        _ => "the deal can't be rebuilt before the seed is opened",
    };
    for check in [LogCheck::Seed, LogCheck::Moves, LogCheck::Digests, LogCheck::Clocks, LogCheck::Result] {
        report.skip_unless_reached(check, why);
    }
}

/// Records what a log that replays without a fault proves.
fn record(position: &Position, entries: &[Entry], report: &mut Report) {
    let digests = entries.iter().filter(|entry| has_digest(entry)).count();
    report.ok(LogCheck::Moves, report.moves);
    if position.seed_is_open() {
        report.ok(LogCheck::Seed, 1);
        report.ok(LogCheck::Digests, digests);
    } else {
        report.skip(LogCheck::Digests, "digests are keyed with the seed, which is still sealed");
    }
    match position.clock_settings() {
        Some(_) => report.ok(LogCheck::Clocks, report.moves),
        None => report.not_needed(LogCheck::Clocks, "the match has no clocks"),
    }
    if matches!(position.phase(), MatchPhase::Over(_)) {
        report.ok(LogCheck::Result, 1);
    }
}

fn has_digest(entry: &Entry) -> bool {
    match entry {
        Entry::MoveMade(_) | Entry::TurnRevealed(_) => true,
        Entry::ProposalAnswered(answered) => answered.is_takeback(),
        Entry::MatchEnded(ended) => !ended.state_digest.is_empty(),
        _ => false,
    }
}
