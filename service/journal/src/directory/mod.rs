//! The directory of matches: a row for each match, its seats, its deadline, and listing.

mod deadline;
mod listing;
mod match_row;
mod match_seat;

pub(crate) use listing::list;
pub(crate) use match_seat::{MAX_SEATS, MatchSeat};

pub use deadline::{Deadline, DeadlineChange};
pub use match_row::{MatchFilter, MatchRow, MatchStatus, PlayerRow, Registered, Scope, SeatRow, Visibility};
