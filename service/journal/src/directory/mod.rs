//! The directory of matches: a row for each match, its deadline, and listing.

mod deadline;
mod listing;
mod match_row;

pub(crate) use listing::list;

pub use deadline::{Deadline, DeadlineChange};
pub use match_row::{MatchFilter, MatchRow, MatchStatus, Registered, Scope, SeatRow, Visibility};
