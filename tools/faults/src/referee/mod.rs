//! The referee: compares what players and watchers of a match observed with its log. Pure; a test plants
//! every fault that it can find.

mod finding;
#[cfg(test)]
mod tests;
mod watches;

use std::collections::BTreeMap;

use matchbook_client::v1::event::Kind;
use matchbook_client::{ServiceReason, v1};

use crate::history::{EventHash, MatchHistory, WatchHistory};

pub(crate) use finding::Finding;

/// How far a record time may lie outside the call that caused the event: the clocks of players and database
/// differ.
const TOLERANCE_MICROS: i64 = 500_000;

/// Checks one match by its log as a spectator reads it.
pub(crate) fn check(history: &MatchHistory, watches: &[WatchHistory], log: &[v1::Event]) -> Vec<Finding> {
    let mut findings: Vec<_> = history.problems.iter().cloned().map(Finding::Problem).collect();
    findings.extend(order(log));
    findings.extend(lost(history, log));
    findings.extend(doubled(history, log));
    findings.extend(times(history, log));
    findings.extend(ending(history, log));
    findings.extend(watches.iter().flat_map(|watch| watches::check(watch, log)));
    findings
}

fn order(log: &[v1::Event]) -> Vec<Finding> {
    let misplaced = (1..).zip(log).filter(|(position, event)| *position != event.seq);
    misplaced.map(|(expected, event)| Finding::OutOfOrder { expected, found: event.seq }).collect()
}

fn lost(history: &MatchHistory, log: &[v1::Event]) -> Vec<Finding> {
    let stored: BTreeMap<u32, EventHash> =
        log.iter().map(|event| (event.seq, EventHash::of(event))).collect();
    let acknowledged = history.acknowledged.iter().flat_map(|call| &call.events);
    let missing =
        history.opening.iter().chain(acknowledged).filter(|event| stored.get(&event.seq) != Some(event));
    missing.map(|event| Finding::Lost { seq: event.seq }).collect()
}

/// Every call is retried until it has a response, so each event after the start is acknowledged to exactly
/// one caller.
fn doubled(history: &MatchHistory, log: &[v1::Event]) -> Vec<Finding> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for event in history.acknowledged.iter().flat_map(|call| &call.events) {
        *counts.entry(event.seq).or_default() += 1;
    }
    let start = log.iter().position(|event| matches!(event.kind, Some(Kind::MatchStarted(_))));
    let after_start = log.iter().skip(start.map_or(log.len(), |start| start + 1));
    let called_for = after_start.filter(|event| !(history.left_to_clock && ended_on_time(event)));
    called_for
        .map(|event| (event.seq, counts.get(&event.seq).copied().unwrap_or_default()))
        .filter(|(_, acknowledged)| *acknowledged != 1)
        .map(|(seq, acknowledged)| Finding::Doubled { seq, acknowledged })
        .collect()
}

fn times(history: &MatchHistory, log: &[v1::Event]) -> Vec<Finding> {
    let recorded: BTreeMap<u32, i64> = log.iter().map(|event| (event.seq, micros(event))).collect();
    let wrong = |seq: u32, early: i64| Finding::WrongTime { seq, early_ms: early / 1000 };
    let pairs = log.iter().zip(log.iter().skip(1));
    let mut findings: Vec<_> = pairs
        .filter(|(before, after)| micros(after) <= micros(before))
        .map(|(before, after)| wrong(after.seq, micros(before) - micros(after)))
        .collect();
    for call in &history.acknowledged {
        let (from, to) = (call.sent.unix_micros, call.received.unix_micros);
        for (seq, at) in call.events.iter().filter_map(|event| recorded.get_key_value(&event.seq)) {
            let outside = if *at < from { from - at } else { (at - to).max(0) };
            if outside > TOLERANCE_MICROS {
                findings.push(wrong(*seq, from - at));
            }
        }
    }
    findings
}

fn ending(history: &MatchHistory, log: &[v1::Event]) -> Option<Finding> {
    let last = log.last()?;
    if !matches!(last.kind, Some(Kind::MatchEnded(_))) {
        return Some(Finding::NotOver);
    }
    (ended_on_time(last) && !history.left_to_clock).then_some(Finding::WrongTimeout)
}

fn ended_on_time(event: &v1::Event) -> bool {
    let Some(Kind::MatchEnded(ended)) = &event.kind else { return false };
    let reason = ended.result.as_ref().and_then(|result| ServiceReason::parse(&result.reason));
    reason == Some(ServiceReason::Time)
}

fn micros(event: &v1::Event) -> i64 {
    let time = event.record_time.unwrap_or_default();
    time.seconds.saturating_mul(1_000_000).saturating_add(i64::from(time.nanos) / 1000)
}
