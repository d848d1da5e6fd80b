//! Proof that a match was played as its log says, without trust in the service: the log file, signed heads,
//! receipts, and the verification of all three. `docs/audit.md` specifies the formats; `clients/python`
//! verifies them a second time.

mod export;
mod file;
mod hex;
mod note;
mod verify;

pub use export::{event_record, header_record, sign_head};
pub use file::{
    FORMAT_VERSION, FileError, FileEvent, FileForm, FilePart, FileWriter, LogFile, LogFileHeader,
    MAX_FILE_BYTES, MAX_FILE_EVENTS,
};
pub use hex::hash_from_hex;
pub use note::{BadKey, BadNote, KeyName, NoteSignature, PublicKey, SignedHead, SignedNote, Signer, keys_in};
pub use verify::{
    BadReceipt, CheckFailure, CheckOutcome, LogCheck, ParentProblem, Problem, Receipt, Remark, Report, Trust,
    Verification,
};
