//! The referee: holds what players and watchers know of a match against its log. Pure; every fault that it
//! can find has a test that plants it.

#[cfg(test)]
mod tests;
mod watching;

use std::collections::BTreeMap;

use wire::v1;
use wire::v1::event::Kind;

use crate::record::{Receipt, Record, Watched};

/// How far recorded times may lie outside of the call that made the event: the clocks of a replica and the
/// database are compared, not the same.
const TOLERANCE_MICROS: i64 = 500_000;

/// Something that must not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Finding {
    /// An acknowledged event that the log does not have, or has with another content.
    Lost { seq: u32 },
    /// An event that nobody was told of as his own, or that several calls were.
    Doubled { seq: u32, told: usize },
    /// Something else stands where this event belongs.
    OutOfOrder { expected: u32, found: u32 },
    /// An event recorded at a time at which nobody called for it, or not after the one before.
    WrongTime { seq: u32, early_ms: i64 },
    /// The match did not end.
    NotOver,
    /// A seat lost on time although its player answered at once.
    WronglyOnTime,
    /// A watcher saw an event out of its turn: again, too early, or after a gap.
    WatchedOutOfOrder { expected: u32, found: u32 },
    /// A watcher saw an event with another content than the log has.
    WatchedOtherwise { seq: u32 },
    /// A watcher was not shown the end.
    WatchedTooLittle { seen: u32, head: u32 },
    /// A watcher was refused for good.
    WatchRefused(String),
    /// Something that a player met.
    Trouble(String),
    /// Two replicas tell different logs.
    ReplicasDiffer,
    /// The exported log does not verify.
    NotVerified(String),
}

/// Judges one match by its log as a spectator reads it.
pub(crate) fn judge(record: &Record, watched: &[Watched], log: &[v1::Event]) -> Vec<Finding> {
    let mut findings: Vec<_> = record.trouble.iter().cloned().map(Finding::Trouble).collect();
    findings.extend(order(log));
    findings.extend(lost(record, log));
    findings.extend(doubled(record, log));
    findings.extend(times(record, log));
    findings.extend(ending(record, log));
    findings.extend(watched.iter().flat_map(|watched| watching::judge(watched, log)));
    findings
}

fn order(log: &[v1::Event]) -> Vec<Finding> {
    let places = (1..).zip(log).filter(|(place, event)| *place != event.seq);
    places.map(|(expected, event)| Finding::OutOfOrder { expected, found: event.seq }).collect()
}

fn lost(record: &Record, log: &[v1::Event]) -> Vec<Finding> {
    let stored: BTreeMap<u32, Receipt> = log.iter().map(|event| (event.seq, Receipt::of(event))).collect();
    let told = record.acknowledged.iter().flat_map(|acknowledged| &acknowledged.events);
    let missing = record.opening.iter().chain(told).filter(|told| stored.get(&told.seq) != Some(told));
    missing.map(|told| Finding::Lost { seq: told.seq }).collect()
}

/// Every call was repeated until it was answered, so after the start each event was told to exactly one
/// caller.
fn doubled(record: &Record, log: &[v1::Event]) -> Vec<Finding> {
    let mut told: BTreeMap<u32, usize> = BTreeMap::new();
    for receipt in record.acknowledged.iter().flat_map(|acknowledged| &acknowledged.events) {
        *told.entry(receipt.seq).or_default() += 1;
    }
    let first = log.iter().position(|event| matches!(event.kind, Some(Kind::MatchStarted(_))));
    let played = log.iter().skip(first.map_or(log.len(), |first| first + 1));
    let asked_for = played.filter(|event| !(record.left_to_clock && ended_on_time(event)));
    asked_for
        .map(|event| (event.seq, told.get(&event.seq).copied().unwrap_or_default()))
        .filter(|(_, told)| *told != 1)
        .map(|(seq, told)| Finding::Doubled { seq, told })
        .collect()
}

fn times(record: &Record, log: &[v1::Event]) -> Vec<Finding> {
    let recorded: BTreeMap<u32, i64> = log.iter().map(|event| (event.seq, micros(event))).collect();
    let wrong = |seq: u32, early: i64| Finding::WrongTime { seq, early_ms: early / 1000 };
    let pairs = log.iter().zip(log.iter().skip(1));
    let mut findings: Vec<_> = pairs
        .filter(|(before, after)| micros(after) <= micros(before))
        .map(|(before, after)| wrong(after.seq, micros(before) - micros(after)))
        .collect();
    for acknowledged in &record.acknowledged {
        let (from, to) = (acknowledged.sent.micros, acknowledged.answered.micros);
        for (seq, at) in acknowledged.events.iter().filter_map(|told| recorded.get_key_value(&told.seq)) {
            let outside = if *at < from { from - at } else { (at - to).max(0) };
            if outside > TOLERANCE_MICROS {
                findings.push(wrong(*seq, from - at));
            }
        }
    }
    findings
}

fn ending(record: &Record, log: &[v1::Event]) -> Option<Finding> {
    let last = log.last()?;
    if !matches!(last.kind, Some(Kind::MatchEnded(_))) {
        return Some(Finding::NotOver);
    }
    (ended_on_time(last) && !record.left_to_clock).then_some(Finding::WronglyOnTime)
}

fn ended_on_time(event: &v1::Event) -> bool {
    let Some(Kind::MatchEnded(ended)) = &event.kind else { return false };
    ended.result.as_ref().is_some_and(|result| result.reason == "time")
}

fn micros(event: &v1::Event) -> i64 {
    let time = event.recorded_time.unwrap_or_default();
    time.seconds.saturating_mul(1_000_000).saturating_add(i64::from(time.nanos) / 1000)
}
