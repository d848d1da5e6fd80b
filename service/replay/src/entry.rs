//! An event's public part in the terms of the rules. What holds for each kind of events is a table in `wire`.

use bytes::Bytes;
use event::Seat;

pub use wire::log::v1::public_part::Entry;

use crate::{Fault, convert};

/// Decodes the stored bytes of a kind. Rejects all but the canonical encoding: unknown fields and other
/// spellings would be covered by the hash, and ignored.
pub fn decode_entry(kind: u16, public: Bytes) -> Result<Entry, Fault> {
    let entry = Entry::decode(kind, public.clone()).map_err(|_| Fault::Undecodable)?;
    let entry = entry.ok_or(Fault::UnknownKind(kind))?;
    if entry.public_bytes() == public { Ok(entry) } else { Err(Fault::Undecodable) }
}

/// Returns the seat that acts, or `None` if the service or the rules do.
pub fn acting_seat(entry: &Entry) -> Option<Seat> {
    entry.seat_number().and_then(convert::seat_from_wire)
}
