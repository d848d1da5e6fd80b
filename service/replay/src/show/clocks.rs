//! Clocks as everybody may see them.

use event::RecordTime;
use wire::v1 as proto;

use crate::clock::Clocks;
use crate::convert::{duration_to_wire, seat_to_wire, timestamp_to_wire};

impl Clocks {
    /// Returns the clocks at the time of an event.
    pub(super) fn shown(&self, at: RecordTime) -> proto::Clocks {
        let shown = self.all(at).map(|(seat, left, due)| proto::SeatClock {
            seat: Some(seat_to_wire(seat)),
            remaining: Some(duration_to_wire(left)),
            due_time: due.map(timestamp_to_wire),
        });
        proto::Clocks { seats: shown.collect() }
    }
}
