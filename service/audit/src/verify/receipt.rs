//! Receipts: what a player kept of the service's answers, to be found in the log again.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use event::{ChainHash, Seq};

use super::{LogCheck, Problem, Report};
use crate::hex::hex;
use crate::{LogFile, PublicKey, SignedHead, SignedNote, hash_from_hex};

/// Evidence that a player holds of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Receipt {
    /// The hash in the answer to a move.
    Hash {
        /// Number of the event.
        seq: Seq,
        /// Hash of the event.
        hash: ChainHash,
    },
    /// A signed head with its parsed contents.
    Note(SignedNote, SignedHead),
}

/// The error for a text that is not a receipt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a receipt must be HASH@SEQ, with HASH in hexadecimal or base64 and SEQ an event's number, \
     or a signed note on a log"
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
        let head = SignedHead::of(&note).ok_or(BadReceipt)?;
        Ok(Self::Note(note, head))
    }
}

/// Parses a hash as ProtoJSON spells it.
fn hash_from_base64(text: &str) -> Option<ChainHash> {
    STANDARD.decode(text).ok()?.try_into().ok()
}

impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hash { seq, hash } => write!(f, "{}@{seq}", hex(hash)),
            Self::Note(note, _) => write!(f, "{note}"),
        }
    }
}

pub(super) fn check(file: &LogFile, receipts: &[Receipt], trusted: &[PublicKey], report: &mut Report) {
    if receipts.is_empty() {
        return report.not_needed(LogCheck::Receipts, "no receipt was given");
    }
    for receipt in receipts {
        if let Err(problem) = check_one(file, receipt, trusted) {
            return report.fail(LogCheck::Receipts, problem);
        }
    }
    report.ok(LogCheck::Receipts, receipts.len());
}

fn check_one(file: &LogFile, receipt: &Receipt, trusted: &[PublicKey]) -> Result<(), Problem> {
    let (seq, hash) = match receipt {
        Receipt::Hash { seq, hash } => (*seq, hash),
        Receipt::Note(note, head) => {
            let own = file.public_key.parse();
            let mut keys = trusted.iter().chain(own.as_ref());
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
