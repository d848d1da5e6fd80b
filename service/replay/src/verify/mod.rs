//! Verification of a log file, from nothing but the file and keys that the reader trusts. Never an error: whatever a file
//! holds, there is a report.

mod openings;
mod outline;
mod parent;
mod receipt;
mod report;
mod signature;

use event::{Part as _, RedactedEvent, Seq};

use crate::fold::Frame;
use crate::{Entry, Fault, LogFile, Phase, Position, PublicKey};
use outline::Outline;

pub use parent::ParentProblem;
pub use receipt::{BadReceipt, Receipt};
pub use report::{Check, Failure, Outcome, Problem, Remark, Report, Verdict};

/// What a file is compared with that is not in it.
#[derive(Clone, Default)]
pub struct Trust {
    /// The keys that the reader knows to be the service's; none if it knows none.
    pub keys: Vec<PublicKey>,
    /// What the service answered to moves at the time.
    pub receipts: Vec<Receipt>,
}

impl LogFile {
    /// The events as the fold takes them: what a later event opens is open in them already. None of it is checked.
    pub fn copies(&self) -> Vec<RedactedEvent> {
        openings::filled_in(self)
    }

    /// Checks everything that can be checked.
    pub fn verify(&self, trust: &Trust) -> Report {
        let mut report = Report::begin(self);
        let copies = self.copies();
        let entries = check_frames(self, &copies, &mut report);
        openings::check(self, &entries, &mut report);
        check_header(self, &entries, &mut report);
        check_play(self, &copies, &entries, &mut report);
        // Under a log that is wrong a good signature would say nothing more.
        if report.failure.is_none() {
            signature::check(self, &trust.keys, &mut report);
        }
        if report.failure.is_none() {
            receipt::check(self, &trust.receipts, &trust.keys, &mut report);
        }
        report.finish()
    }
}

/// Chain, times and the order of kinds, without knowing any game: the events up to the first that is wrong.
fn check_frames(file: &LogFile, copies: &[RedactedEvent], report: &mut Report) -> Vec<Entry> {
    let mut frame = Frame::before_first(file.header.match_id);
    let mut outline = Outline::default();
    let mut entries = Vec::with_capacity(copies.len());
    for copy in copies {
        let checked = frame.check(copy).and_then(|entry| outline.check(&entry, copy).map(|()| entry));
        match checked {
            Ok(entry) => entries.push(entry),
            Err(fault) => {
                report.fail_at(copy.seq, fault);
                break;
            }
        }
        frame = frame.after(copy);
    }
    if copies.is_empty() {
        report.fail(Check::Structure, Problem::NoEvents);
    }
    report.count_entries(&entries, &outline);
    entries
}

/// What the header says again.
fn check_header(file: &LogFile, entries: &[Entry], report: &mut Report) {
    let Some(said) = entries.first().and_then(Entry::pinned) else { return };
    if said != (file.header.game.as_str(), file.header.rules_version) {
        report.failed(Failure {
            seq: Some(Seq::FIRST),
            check: Check::Structure,
            problem: Problem::HeaderDiffers,
        });
    }
}

/// The deal, the moves, the digests, the clocks and the result, by the pinned rules.
fn check_play(file: &LogFile, copies: &[RedactedEvent], entries: &[Entry], report: &mut Report) {
    let mut position: Option<Position> = None;
    for (copy, entry) in copies.iter().zip(entries) {
        let step = match &mut position {
            None => Position::first(file.header.match_id, entry, copy).map(|first| position = Some(first)),
            Some(position) => position.advance(copy, entry).map(|_| ()),
        };
        match step {
            Ok(()) => {}
            Err(fault @ (Fault::SeedSealed | Fault::UnknownRules { .. })) => {
                return report.leave_play_unchecked(&fault);
            }
            Err(fault) => return report.fail_at(copy.seq, fault),
        }
    }
    if let Some(position) = position {
        let seed_known = position.created.seed.opened().is_some();
        let timed = position.timing().is_some();
        let over = matches!(position.phase(), Phase::Over(_));
        report.count_play(entries, Known { seed: seed_known, clocks: timed, end: over });
    }
}

/// What a folded log had to be compared with.
#[derive(Clone, Copy)]
struct Known {
    seed: bool,
    clocks: bool,
    end: bool,
}
