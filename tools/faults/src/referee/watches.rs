//! One watcher's events against the log: each once, in order, with the same content, up to the end.

use matchbook_client::v1;

use super::finding::Finding;
use crate::history::{Fingerprint, WatchHistory};

pub(super) fn check(watch: &WatchHistory, log: &[v1::Event]) -> Vec<Finding> {
    let refused = watch.refused.iter().cloned().map(Finding::WatchRefused);
    let mut findings: Vec<_> = refused.collect();
    for (expected, sighting) in (1..).zip(&watch.sightings) {
        if sighting.seq != expected {
            // All later events are displaced too.
            findings.push(Finding::WatchedOutOfOrder { expected, found: sighting.seq });
            return findings;
        }
        let stored = log.iter().find(|event| event.seq == sighting.seq);
        if stored.map(Fingerprint::of) != Some(sighting.fingerprint) {
            findings.push(Finding::WatchedDifferently { seq: sighting.seq });
        }
    }
    let seen = watch.sightings.last().map_or(0, |sighting| sighting.seq);
    let head = log.last().map_or(0, |event| event.seq);
    if seen < head {
        findings.push(Finding::WatchedTooLittle { seen, head });
    }
    findings
}
