//! Receipts: what a player kept of the service's answers, to be found in the log again.

use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use event::{ChainHash, Seq};

use super::{Check, Problem, Report};
use crate::note::hex;
use crate::{Head, LogFile, PublicKey, SignedNote, hash_from_hex};

/// What a player holds on an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Receipt {
    /// The hash that a move was answered with.
    Hash {
        /// The event.
        seq: Seq,
        /// Its hash.
        hash: ChainHash,
    },
    /// A signed head.
    Note(SignedNote, Head),
}

/// Why a text is no receipt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a receipt is HASH@SEQ, a hash in hexadecimal or base64 and an event's number, or a signed note on a log"
)]
pub struct BadReceipt;

impl FromStr for Receipt {
    type Err = BadReceipt;

    fn from_str(text: &str) -> Result<Self, BadReceipt> {
        if let Some((hash, seq)) = text.trim_end().split_once('@') {
            let hash = hash_from_hex(hash).or_else(|| hash_from_base64(hash)).ok_or(BadReceipt)?;
            return Ok(Self::Hash { seq: Seq(seq.parse().map_err(|_| BadReceipt)?), hash });
        }
        let note: SignedNote = text.parse().map_err(|_| BadReceipt)?;
        let head = Head::of(&note).ok_or(BadReceipt)?;
        Ok(Self::Note(note, head))
    }
}

/// As JSON has a hash.
fn hash_from_base64(text: &str) -> Option<ChainHash> {
    STANDARD.decode(text).ok()?.try_into().ok()
}

impl std::fmt::Display for Receipt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Hash { seq, hash } => write!(f, "{}@{seq}", hex(hash)),
            Self::Note(note, _) => write!(f, "{note}"),
        }
    }
}

pub(super) fn check(file: &LogFile, receipts: &[Receipt], trusted: &[PublicKey], report: &mut Report) {
    if receipts.is_empty() {
        return report.not_needed(Check::Receipts, "none was given");
    }
    for receipt in receipts {
        if let Err(problem) = check_one(file, receipt, trusted) {
            return report.fail(Check::Receipts, problem);
        }
    }
    report.good(Check::Receipts, receipts.len());
}

fn check_one(file: &LogFile, receipt: &Receipt, trusted: &[PublicKey]) -> Result<(), Problem> {
    let (seq, hash) = match receipt {
        Receipt::Hash { seq, hash } => (*seq, hash),
        Receipt::Note(note, head) => {
            let known = file.public_key.parse();
            let mut keys = trusted.iter().chain(known.as_ref());
            if !keys.any(|key| *key.name() == head.service && note.is_signed_by(key)) {
                return Err(Problem::ReceiptUnsigned);
            }
            if head.match_id != file.header.match_id {
                return Err(Problem::ReceiptDiffers);
            }
            (head.seq, &head.hash)
        }
    };
    let event = file.events.iter().find(|event| event.seq == seq).ok_or(Problem::ReceiptBeyond(seq))?;
    if event.hash == *hash { Ok(()) } else { Err(Problem::ReceiptDiffers) }
}
