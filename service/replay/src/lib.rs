//! What a log means: events to bytes and back, the hash chain, sealed parts, the
//! seed, the rules' types to protobuf and back, and the fold from events to a
//! position. Pure: no clock, no randomness, no database.

mod clock;
mod convert;
mod digest;
mod draft;
mod draw;
mod entry;
mod fault;
mod file;
mod fold;
mod fork;
mod note;
mod position;
mod rehearsal;
mod seed;
mod show;
mod told;
#[cfg(test)]
mod vectors;
mod verify;

pub use clock::{BadTimeControl, MAX_INCREMENT_MS, Overdue, TIME_RANGE_MS, TimeControl, Timing};
pub use convert::{
    MissingGame, move_from_wire, move_to_wire, options_from_wire, pinned_game, question_to_wire,
    seat_from_wire, seat_to_wire, timestamp_to_wire, view_to_wire, viewer_to_wire,
};
pub use draft::{Draft, Ended, NewMatch, Origin, Unmade};
pub use entry::Entry;
pub use fault::{Fault, ReplayError};
pub use file::{
    FORMAT_VERSION, FileError, FileEvent, FileForm, FileWriter, Header, LogFile, MAX_FILE_BYTES,
    MAX_FILE_EVENTS,
};
pub use fork::{ForkedPosition, Moves, Parent};
pub use note::{BadKey, BadNote, Head, KeyName, NoteSignature, PublicKey, SignedNote, Signer, hash_from_hex};
pub use position::{Phase, Position, Sitting};
pub use rehearsal::{Astray, Rehearsal};
pub use seed::{MAX_ENTROPY_BYTES, SERVER_SEED_BYTES};
pub use show::{feed_frame, log_event_to_wire};
pub use told::Told;
pub use verify::{
    BadReceipt, Check, Failure, Outcome, ParentProblem, Problem, Receipt, Remark, Report, Trust, Verdict,
};
