//! The report on a file: the outcome of each check, and the first thing that is wrong.

use event::{ChainHash, MatchId, Seq};
use replay::{Entry, Fault};
use rules::{Games, VersionStatus};
use wire::log::v1::EventKind;
use wire::v1 as proto;

use super::outline::{Outline, Stage};
use super::{CheckFailure, CheckOutcome, LogCheck, Problem};
use crate::{LogFile, PublicKey};

/// Something that the reader should know although it is not wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remark {
    /// The file leaves out a player: it was erased, or withheld when the file was made.
    PlayerWithheld {
        /// Number of the claim.
        seq: Seq,
    },
    /// A choice is still sealed: its turn was not resolved.
    ChoiceSealed {
        /// Number of the choice's event.
        seq: Seq,
    },
}

/// The overall result of verifying a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verification {
    /// Every check was made and passed.
    Verified,
    /// No check failed, but some were not made, for example while the match runs.
    Incomplete,
    /// No check failed, but the key that signed the file is not known to be the service's.
    KeyUnknown,
    /// A check failed.
    Refused,
}

impl Verification {
    /// Returns the name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Incomplete => "incomplete",
            Self::KeyUnknown => "key_unknown",
            Self::Refused => "refused",
        }
    }
}

/// A report on a file.
#[derive(Clone, Debug)]
pub struct Report {
    /// The match.
    pub match_id: MatchId,
    /// Id of the game, from the header.
    pub game: String,
    /// Rules version, from the header.
    pub rules_version: u32,
    /// Whether the reader's rules include that version.
    pub version_status: VersionStatus,
    /// Number of events in the file.
    pub events: usize,
    /// Number of moves among them; a simultaneous turn counts as two.
    pub moves: usize,
    /// Hash of the last event.
    pub head_hash: Option<ChainHash>,
    /// Result of the match, if it is over.
    pub result: Option<proto::MatchResult>,
    /// Key that signed the file, if the signature is valid.
    pub signed_by: Option<PublicKey>,
    /// Whether the reader trusts that key.
    pub key_is_known: bool,
    /// Outcome of each check, in the order of [`LogCheck::ALL`].
    pub checks: [(LogCheck, CheckOutcome); 11],
    /// Remarks.
    pub remarks: Vec<Remark>,
    /// The first thing that is wrong.
    pub failure: Option<CheckFailure>,
    /// The overall result.
    pub verdict: Verification,
}

impl Report {
    /// Returns the outcome of a check.
    pub fn outcome(&self, check: LogCheck) -> CheckOutcome {
        self.checks[check as usize].1
    }

    pub(super) fn start(file: &LogFile, games: Games) -> Self {
        Self {
            match_id: file.header.match_id,
            game: file.header.game.clone(),
            rules_version: file.header.rules_version,
            version_status: games.status(&file.header.game, file.header.rules_version),
            events: file.events.len(),
            moves: file.events.iter().filter(|event| is_move(event.kind)).count(),
            head_hash: file.events.last().map(|event| event.hash),
            result: None,
            signed_by: None,
            key_is_known: false,
            checks: LogCheck::ALL.map(|check| (check, CheckOutcome::NotReached)),
            remarks: Vec::new(),
            failure: None,
            verdict: Verification::Verified,
        }
    }

    pub(super) fn ok(&mut self, check: LogCheck, count: usize) {
        self.set(check, CheckOutcome::Ok(count));
    }

    /// Records that a check is not possible.
    pub(super) fn skip(&mut self, check: LogCheck, why: &'static str) {
        self.set(check, CheckOutcome::NotCheckable(why));
    }

    /// Records that a check is not possible, unless it already has an outcome.
    pub(super) fn skip_unless_reached(&mut self, check: LogCheck, why: &'static str) {
        if self.outcome(check) == CheckOutcome::NotReached {
            self.skip(check, why);
        }
    }

    pub(super) fn not_needed(&mut self, check: LogCheck, why: &'static str) {
        self.set(check, CheckOutcome::NotNeeded(why));
    }

    pub(super) fn remark(&mut self, remark: Remark) {
        self.remarks.push(remark);
    }

    /// Records a failure that belongs to no event.
    pub(super) fn fail(&mut self, check: LogCheck, problem: Problem) {
        self.record_failure(CheckFailure { seq: None, check, problem });
    }

    /// Records the fault of an event.
    pub(super) fn fail_at(&mut self, seq: Seq, fault: Fault) {
        let (seq, check) = (Some(fault.place(seq)), LogCheck::of(&fault));
        self.record_failure(CheckFailure { seq, check, problem: Problem::Event(fault) });
    }

    /// Records a failure. Reports the one of the earliest event; failures of no event rank last.
    pub(super) fn record_failure(&mut self, failure: CheckFailure) {
        self.set(failure.check, CheckOutcome::Failed);
        let rank = |failure: &CheckFailure| failure.seq.unwrap_or(Seq(u32::MAX));
        if self.failure.as_ref().is_none_or(|first| rank(&failure) < rank(first)) {
            self.failure = Some(failure);
        }
    }

    /// Records what the chain and the order of kinds prove.
    pub(super) fn record_entries(&mut self, entries: &[Entry], outline: &Outline) {
        if let Some(Entry::MatchEnded(ended)) = entries.last() {
            self.result = ended.result.as_ref().map(replay::result_to_wire);
        }
        if self.failure.is_none() {
            for check in [LogCheck::Structure, LogCheck::Chain, LogCheck::Times] {
                self.ok(check, entries.len());
            }
        }
        if outline.stage != Stage::Over {
            self.skip(LogCheck::Seed, "the seed is opened at the end of the match");
            self.skip(LogCheck::Result, "the match is not over");
        }
    }

    /// Derives the overall result.
    pub(super) fn finish(mut self) -> Self {
        if let Some(CheckFailure { seq: Some(_), check, .. }) = self.failure {
            self.forget_what_follows(check);
        }
        let is_missing = |(_, outcome): &(_, CheckOutcome)| matches!(outcome, CheckOutcome::NotCheckable(_));
        self.verdict = if self.failure.is_some() {
            Verification::Refused
        } else if !self.key_is_known {
            Verification::KeyUnknown
        } else if self.checks.iter().any(is_missing) {
            Verification::Incomplete
        } else {
            Verification::Verified
        };
        self
    }

    /// Withdraws all that was said of a log with a wrong event: it holds for the events before that one only.
    fn forget_what_follows(&mut self, failed: LogCheck) {
        self.result = None;
        self.remarks.clear();
        for (check, outcome) in &mut self.checks {
            *outcome = if *check == failed { CheckOutcome::Failed } else { CheckOutcome::NotReached };
        }
    }

    /// Sets an outcome. A failure is final.
    fn set(&mut self, check: LogCheck, outcome: CheckOutcome) {
        let current = &mut self.checks[check as usize].1;
        if *current != CheckOutcome::Failed {
            *current = outcome;
        }
    }
}

fn is_move(kind: u16) -> bool {
    [EventKind::MoveMade, EventKind::MoveSealed].into_iter().any(|each| each.number() == kind)
}
