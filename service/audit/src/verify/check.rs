//! The checks, and what each can find.

use event::Seq;
use replay::Fault;

/// A check of a log file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogCheck {
    /// Seqs, kinds and their order, decoding, the header.
    Structure,
    /// The hash chain.
    Chain,
    /// Record times increase.
    Times,
    /// Opened parts fit their commitments.
    Commitments,
    /// The seed derives from the committed bytes and the seats' entropy.
    Seed,
    /// The deal and every move follow the pinned rules.
    Moves,
    /// The rebuilt states are those that were played.
    Digests,
    /// No move is later than its seat's time.
    Clocks,
    /// The match ended as recorded.
    Result,
    /// The signed note.
    Signature,
    /// The reader's receipts.
    Receipts,
}

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckOutcome {
    /// This many items were checked and all are correct.
    Ok(usize),
    /// The log has nothing to check; the text says why.
    NotNeeded(&'static str),
    /// The file does not hold what the check needs; the text says why.
    NotCheckable(&'static str),
    /// Something is wrong.
    Failed,
    /// An earlier check failed.
    NotReached,
}

/// The first thing that is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckFailure {
    /// Number of the event, or `None` if the header, the note or a receipt is wrong.
    pub seq: Option<Seq>,
    /// The check that failed.
    pub check: LogCheck,
    /// What is wrong.
    pub problem: Problem,
}

/// What can be wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    /// An event is wrong.
    #[error("{0}")]
    Event(Fault),
    /// The file opens a sealed part that nobody may open, or that the log opens itself.
    #[error("a file must not open its sealed part")]
    MustNotOpen,
    /// The file has no events.
    #[error("there are no events")]
    NoEvents,
    /// Header and first event disagree.
    #[error("the header names another game or rules version than the first event")]
    HeaderDiffers,
    /// The note or the key is malformed.
    #[error("the signed note or its key is malformed")]
    NoteUnreadable,
    /// The note covers another log or another part of it.
    #[error("the signed note does not cover this log up to its last event")]
    NoteDiffers,
    /// The signature is invalid.
    #[error("the signature is not valid under the key in the file")]
    BadSignature,
    /// The signature is valid, but its key is not trusted.
    #[error("the key that signed it is not one of the given keys")]
    OtherKey,
    /// A receipt disagrees with the log.
    #[error("the receipt is for another event than the log has there")]
    ReceiptDiffers,
    /// A receipt is for an event after the end of the log.
    #[error("the receipt is for event {0}, which the log does not have")]
    ReceiptBeyond(Seq),
    /// A receipt has no valid signature.
    #[error("the receipt is not signed by one of the service's keys")]
    ReceiptUnsigned,
}

impl LogCheck {
    /// All checks in the order in which reports list them.
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

    /// Returns the name in reports.
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

    /// Returns the check that finds a fault.
    pub fn of(fault: &Fault) -> LogCheck {
        match fault {
            Fault::Gap { .. }
            | Fault::Undecodable
            | Fault::UnknownKind(_)
            | Fault::WrongSeats { .. }
            | Fault::UnknownSeat
            | Fault::OutOfPlace
            | Fault::TooManyRotations => LogCheck::Structure,
            Fault::TimeNotGrowing => LogCheck::Times,
            Fault::BrokenChain => LogCheck::Chain,
            Fault::WrongOpening => LogCheck::Commitments,
            Fault::SeedSealed => LogCheck::Seed,
            Fault::UnknownRules { .. } | Fault::Refused(_) | Fault::ForeignToGame | Fault::NotToAct => {
                LogCheck::Moves
            }
            Fault::DigestDiffers => LogCheck::Digests,
            Fault::TooLate => LogCheck::Clocks,
            Fault::WrongResult => LogCheck::Result,
        }
    }
}
