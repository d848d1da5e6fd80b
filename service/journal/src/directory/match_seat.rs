//! A claimed seat as it is stored: beside the match's row, with what the indexes need of the match.

use crate::{MatchId, MatchRow, RecordTime, SeatRow, Visibility};

/// Maximum number of seats of a match.
pub(crate) const MAX_SEATS: usize = 8;

/// A row of `match_seat`.
#[derive(Clone, Debug)]
pub(crate) struct MatchSeat {
    pub(crate) match_id: MatchId,
    pub(crate) seat: u8,
    /// The match's owner.
    pub(crate) owner: String,
    /// The match's visibility, which never changes.
    pub(crate) visibility: Visibility,
    /// When the match was created.
    pub(crate) create_time: RecordTime,
    pub(crate) row: SeatRow,
}

impl MatchRow {
    /// Returns the claimed seats, in order.
    pub(crate) fn claimed_seats(&self) -> impl Iterator<Item = MatchSeat> {
        let seats = self.seats.iter().zip(0..);
        seats.filter_map(|(row, seat)| {
            let row = row.clone()?;
            Some(MatchSeat {
                match_id: self.match_id,
                seat,
                owner: self.registered.owner.clone(),
                visibility: self.visibility,
                create_time: self.create_time,
                row,
            })
        })
    }
}
