//! Verification of a log file, given nothing but the file and the keys that the reader trusts. It never
//! fails: there is a report on every file.

mod as_json;
mod check;
mod ending;
mod openings;
mod outline;
mod parent;
mod play;
mod receipt;
mod report;
mod signature;

use event::{RedactedEvent, Seq};
use replay::{ChainHead, Entry};
use rules::Games;

use crate::{LogFile, PublicKey};
use outline::Outline;

pub use check::{CheckFailure, CheckOutcome, LogCheck, Problem};
pub use parent::ParentProblem;
pub use receipt::{BadReceipt, Receipt};
pub use report::{Remark, Report, Verification};

/// What the reader knows independently of the file.
#[derive(Clone, Default)]
pub struct Trust {
    /// Keys that are known to be the service's. If empty, any key is accepted and reported as unknown.
    pub keys: Vec<PublicKey>,
    /// Receipts that the service gave for moves.
    pub receipts: Vec<Receipt>,
    /// The rules to replay the log by.
    pub games: Games,
}

impl LogFile {
    /// Returns the events with every sealed part that the file or a later event opens. Verifies nothing.
    pub fn opened_events(&self) -> Vec<RedactedEvent> {
        openings::opened_events(self)
    }

    /// Runs every check that the file allows.
    pub fn verify(&self, trust: &Trust) -> Report {
        let mut report = Report::start(self, trust.games);
        let events = self.opened_events();
        let entries = check_chain(self, &events, &mut report);
        openings::check(self, &entries, &mut report);
        check_header(self, &entries, &mut report);
        play::check(self, trust.games, &events, &entries, &mut report);
        // A valid signature of a log that is wrong would prove nothing.
        if report.failure.is_none() {
            signature::check(self, &trust.keys, &mut report);
        }
        if report.failure.is_none() {
            receipt::check(self, &trust.receipts, &trust.keys, &mut report);
        }
        report.finish()
    }
}

/// Checks chain, times and the order of kinds, which depend on no game. Returns the entries before the first
/// failure.
fn check_chain(file: &LogFile, events: &[RedactedEvent], report: &mut Report) -> Vec<Entry> {
    let mut head = ChainHead::before_first(file.header.match_id);
    let mut outline = Outline::default();
    let mut entries = Vec::with_capacity(events.len());
    for event in events {
        let checked = head.check(event).and_then(|entry| outline.check(&entry, event).map(|()| entry));
        match checked {
            Ok(entry) => entries.push(entry),
            Err(fault) => {
                report.fail_at(event.seq, fault);
                break;
            }
        }
        head = head.after(event);
    }
    if events.is_empty() {
        report.fail(LogCheck::Structure, Problem::NoEvents);
    }
    report.record_entries(&entries, &outline);
    entries
}

/// Compares the header with the first event.
fn check_header(file: &LogFile, entries: &[Entry], report: &mut Report) {
    let Some(pinned) = entries.first().and_then(Entry::pinned) else { return };
    if pinned != (file.header.game.as_str(), file.header.rules_version) {
        let check = LogCheck::Structure;
        report.record_failure(CheckFailure { seq: Some(Seq::FIRST), check, problem: Problem::HeaderDiffers });
    }
}
