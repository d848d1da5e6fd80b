//! An event of a match's log as it is stored: its ids, its bytes, its place in the hash chain and its sealed
//! part; and the seats that it names. What an event means is `replay`'s business; how it is stored is
//! `journal`'s.

mod bucket;
mod chain;
mod event;
mod ids;
mod seal;
mod seat;

pub use bucket::Bucket;
pub use chain::{ChainHash, Link};
pub use event::{Event, RedactedEvent};
pub use ids::{MatchId, RecordTime, Seq};
pub use seal::{Commitment, Part, SALT_BYTES, Sealed, SealedPart};
pub use seat::{BySeat, MAX_SEATS, Seat, Seats};
