//! What one watcher saw against the log: each event once, in order, as it is, up to the end.

use wire::v1;

use super::Finding;
use crate::record::{Print, Watched};

pub(super) fn judge(watched: &Watched, log: &[v1::Event]) -> Vec<Finding> {
    let refused = watched.refused.iter().cloned().map(Finding::WatchRefused);
    let mut findings: Vec<_> = refused.collect();
    for (expected, sighting) in (1..).zip(&watched.sightings) {
        if sighting.seq != expected {
            // Everything after it is displaced too.
            findings.push(Finding::WatchedOutOfOrder { expected, found: sighting.seq });
            return findings;
        }
        let stored = log.iter().find(|event| event.seq == sighting.seq);
        if stored.map(Print::of) != Some(sighting.print) {
            findings.push(Finding::WatchedOtherwise { seq: sighting.seq });
        }
    }
    let seen = watched.sightings.last().map_or(0, |sighting| sighting.seq);
    let head = log.last().map_or(0, |event| event.seq);
    if seen < head {
        findings.push(Finding::WatchedTooLittle { seen, head });
    }
    findings
}
