//! An event's public part in the terms of the rules. What holds for each kind of events is a table in `wire`.

use bytes::Bytes;
use event::Seat;

pub use wire::log::v1::public_part::Entry;

use crate::{Fault, convert};

/// Decodes the stored bytes of a kind.
pub fn decode_entry(kind: u16, public: Bytes) -> Result<Entry, Fault> {
    Entry::decode(kind, public).map_err(|_| Fault::Undecodable)?.ok_or(Fault::UnknownKind(kind))
}

/// Returns the seat that acts, or `None` if the service or the rules do.
pub fn acting_seat(entry: &Entry) -> Option<Seat> {
    entry.seat_number().and_then(convert::seat_from_wire)
}
