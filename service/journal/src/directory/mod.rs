//! The directory of matches: a row for each match, its seats, labels and deadline, and listing.

mod deadline;
mod filter;
mod labels;
mod listing;
mod match_row;
mod match_seat;

pub(crate) use labels::LabelRow;
pub(crate) use listing::list;
pub(crate) use match_seat::{MAX_SEATS, MatchSeat};

pub use deadline::{Deadline, DeadlineChange};
pub use filter::{MatchFilter, MatchPage, Scope, ToAct};
pub use labels::Labels;
pub(crate) use match_row::CreateKey;
pub use match_row::{MatchOutcome, MatchRow, MatchStatus, PlayerRow, Registered, SeatRow, Visibility};
