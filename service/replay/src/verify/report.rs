//! What verification says: of each check whether it was good, could not be made, or failed, and the first thing that is
//! wrong.

use event::{ChainHash, MatchId, Seq};
use wire::v1 as proto;

use super::Known;
use super::outline::{Outline, Stage};
use crate::{Entry, Fault, LogFile, PublicKey};

/// What is looked at, in the order in which it is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// Seqs, kinds and their order, decoding, the header.
    Structure,
    /// The hash chain.
    Chain,
    /// Recorded times grow.
    Times,
    /// What is opened is what was committed to.
    Commitments,
    /// The seed is made of the committed bytes and the seats' entropy.
    Seed,
    /// The deal, and every move by the pinned rules.
    Moves,
    /// The rebuilt states are those that were played.
    Digests,
    /// No move later than its seat's time.
    Clocks,
    /// The end, and who won.
    Result,
    /// The signed note.
    Signature,
    /// Receipts that the reader holds.
    Receipts,
}

impl Check {
    /// All of them in order.
    pub const ALL: [Self; 11] = [
        Self::Structure,
        Self::Chain,
        Self::Times,
        Self::Commitments,
        Self::Seed,
        Self::Moves,
        Self::Digests,
        Self::Clocks,
        Self::Result,
        Self::Signature,
        Self::Receipts,
    ];

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Structure => "structure",
            Self::Chain => "chain",
            Self::Times => "times",
            Self::Commitments => "commitments",
            Self::Seed => "seed",
            Self::Moves => "moves",
            Self::Digests => "digests",
            Self::Clocks => "clocks",
            Self::Result => "result",
            Self::Signature => "signature",
            Self::Receipts => "receipts",
        }
    }
}

/// What became of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// So many things were looked at and all are good.
    Good(usize),
    /// There is nothing of the kind in this log.
    NotNeeded(&'static str),
    /// It can't be made on this file.
    NotCheckable(&'static str),
    /// Something is wrong.
    Failed,
    /// Something before it failed.
    NotReached,
}

/// The first thing that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The event; none if it is the header, the note or a receipt.
    pub seq: Option<Seq>,
    /// Which check found it.
    pub check: Check,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    /// An event.
    #[error("{0}")]
    Event(Fault),
    /// The file is empty of events.
    #[error("there are no events")]
    NoEvents,
    /// Header and first event say different things.
    #[error("the header names another game or rules version than the first event")]
    HeaderDiffers,
    /// The note or the key can't be read.
    #[error("the signed note or its key can't be read")]
    NoteUnreadable,
    /// The note is on something else.
    #[error("the signed note is not on this log up to its last event")]
    NoteDiffers,
    /// The signature is bad.
    #[error("the signature is not one of the key in the file")]
    BadSignature,
    /// It is good but of a key that is not pinned.
    #[error("it is signed by a key that is not among those given")]
    OtherKey,
    /// A receipt is on another event than the log has.
    #[error("the receipt is for another event than the log has there")]
    ReceiptDiffers,
    /// A receipt is on an event that the log does not have.
    #[error("the receipt is for event {0}, which the log does not have")]
    ReceiptBeyond(Seq),
    /// A receipt's signature is bad.
    #[error("the receipt's signature is not one of the service's keys")]
    ReceiptUnsigned,
}

/// What is no failure but should be known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remark {
    /// A player's name is not told.
    NameWithheld {
        /// The claim.
        seq: Seq,
    },
    /// A choice whose turn has not resolved is sealed.
    ChoiceSealed {
        /// The choice.
        seq: Seq,
    },
}

/// The one word on a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// Everything was checked and is good.
    Verified,
    /// Everything that can be checked is good; some of it can't, as while a match runs.
    Incomplete,
    /// Everything is good but nobody vouches for the key that signed it.
    KeyUnknown,
    /// Something is wrong.
    Refused,
}

impl Verdict {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::Incomplete => "incomplete",
            Self::KeyUnknown => "key_unknown",
            Self::Refused => "refused",
        }
    }
}

/// What was found out about a file.
#[derive(Clone, Debug)]
pub struct Report {
    /// The match.
    pub match_id: MatchId,
    /// The game's id, as the header has it.
    pub game: String,
    /// The rules version, as the header has it.
    pub rules_version: u32,
    /// Events in the file.
    pub events: usize,
    /// Moves among them; a turn of choices is two.
    pub moves: usize,
    /// The hash of the last event.
    pub head_hash: Option<ChainHash>,
    /// How the match ended, if it did.
    pub result: Option<proto::Result>,
    /// The key that signed it, if its signature is good.
    pub signed_by: Option<PublicKey>,
    /// Whether that key is one of those that the reader trusts.
    pub key_is_known: bool,
    /// Each check.
    pub checks: [(Check, Outcome); 11],
    /// What should be known beside.
    pub remarks: Vec<Remark>,
    /// The first thing that is wrong.
    pub failure: Option<Failure>,
    /// The word on it all.
    pub verdict: Verdict,
}

impl Report {
    pub(super) fn begin(file: &LogFile) -> Self {
        Self {
            match_id: file.header.match_id,
            game: file.header.game.clone(),
            rules_version: file.header.rules_version,
            events: file.events.len(),
            moves: 0,
            head_hash: file.events.last().map(|event| event.hash),
            result: None,
            signed_by: None,
            key_is_known: false,
            checks: Check::ALL.map(|check| (check, Outcome::NotReached)),
            remarks: Vec::new(),
            failure: None,
            verdict: Verdict::Verified,
        }
    }

    /// What became of a check.
    pub fn outcome(&self, check: Check) -> Outcome {
        self.checks[check as usize].1
    }

    fn set(&mut self, check: Check, outcome: Outcome) {
        let slot = &mut self.checks[check as usize].1;
        // A failure stays.
        if *slot != Outcome::Failed {
            *slot = outcome;
        }
    }

    pub(super) fn good(&mut self, check: Check, count: usize) {
        self.set(check, Outcome::Good(count));
    }

    pub(super) fn leave(&mut self, check: Check, why: &'static str) {
        self.set(check, Outcome::NotCheckable(why));
    }

    pub(super) fn not_needed(&mut self, check: Check, why: &'static str) {
        self.set(check, Outcome::NotNeeded(why));
    }

    pub(super) fn remark(&mut self, remark: Remark) {
        self.remarks.push(remark);
    }

    pub(super) fn fail(&mut self, check: Check, problem: Problem) {
        self.failed(Failure { seq: None, check, problem });
    }

    pub(super) fn fail_at(&mut self, seq: Seq, fault: Fault) {
        let check = Check::of(&fault);
        self.failed(Failure { seq: Some(seq), check, problem: Problem::Event(fault) });
    }

    /// Of two failures the one of the earlier event is the first; those of no event come after all.
    pub(super) fn failed(&mut self, failure: Failure) {
        self.set(failure.check, Outcome::Failed);
        let place = |failure: &Failure| failure.seq.unwrap_or(Seq(u32::MAX));
        if self.failure.as_ref().is_none_or(|first| place(&failure) < place(first)) {
            self.failure = Some(failure);
        }
    }

    pub(super) fn count_entries(&mut self, entries: &[Entry], outline: &Outline) {
        self.moves = entries.iter().map(moves_in).sum();
        if let Some(Entry::MatchEnded(ended)) = entries.last() {
            self.result.clone_from(&ended.result);
        }
        if self.failure.is_none() {
            self.good(Check::Structure, entries.len());
            self.good(Check::Chain, entries.len());
            self.good(Check::Times, entries.len());
        }
        if outline.stage != Stage::Over {
            self.leave(Check::Seed, "the seed is opened at the end of the match");
            self.leave(Check::Result, "the match is not over");
        }
    }

    /// The rules could not be asked.
    pub(super) fn leave_play_unchecked(&mut self, fault: &Fault) {
        let why = match fault {
            Fault::UnknownRules { .. } => "this build does not have the rules of this match",
            _ => "the deal can't be rebuilt before the seed is opened",
        };
        for check in [Check::Seed, Check::Moves, Check::Digests, Check::Clocks, Check::Result] {
            if self.outcome(check) == Outcome::NotReached {
                self.leave(check, why);
            }
        }
    }

    /// The whole log was folded and every step was good.
    pub(super) fn count_play(&mut self, entries: &[Entry], known: Known) {
        if self.failure.is_some() {
            return;
        }
        let digests = entries.iter().filter(|entry| has_digest(entry)).count();
        self.good(Check::Moves, self.moves);
        if known.seed {
            self.good(Check::Seed, 1);
            self.good(Check::Digests, digests);
        } else {
            self.leave(Check::Digests, "digests are keyed with the seed, which is still sealed");
        }
        match known.clocks {
            true => self.good(Check::Clocks, self.moves),
            false => self.not_needed(Check::Clocks, "the match has no clocks"),
        }
        if known.end {
            self.good(Check::Result, 1);
        }
    }

    pub(super) fn finish(mut self) -> Self {
        let open = |(check, outcome): &(Check, Outcome)| match outcome {
            Outcome::NotCheckable(_) => !matches!(check, Check::Commitments),
            Outcome::Good(_) | Outcome::NotNeeded(_) | Outcome::Failed | Outcome::NotReached => false,
        };
        self.verdict = if self.failure.is_some() {
            Verdict::Refused
        } else if !self.key_is_known {
            Verdict::KeyUnknown
        } else if self.checks.iter().any(open) {
            Verdict::Incomplete
        } else {
            Verdict::Verified
        };
        self
    }
}

fn moves_in(entry: &Entry) -> usize {
    match entry {
        Entry::MoveMade(_) | Entry::MoveSealed(_) => 1,
        _ => 0,
    }
}

fn has_digest(entry: &Entry) -> bool {
    match entry {
        Entry::MoveMade(_) | Entry::TurnRevealed(_) => true,
        Entry::MatchEnded(ended) => !ended.state_digest.is_empty(),
        _ => false,
    }
}
