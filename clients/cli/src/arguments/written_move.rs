//! A move as `check` and `move` take it.

use clap::Args;

use super::{SeatName, match_id};

/// A move of a seat in a match.
#[derive(Args)]
pub(crate) struct WrittenMove {
    /// Id of the match
    #[arg(value_name = "MATCH", value_parser = match_id)]
    pub match_id: String,
    /// Move in the game's notation, as `matchbook legal` lists it
    pub notation: String,
    /// Position that the move is meant for; at any other the command is refused as stale
    #[arg(long, value_name = "SEQ")]
    pub expect: Option<u32>,
    /// Seat to act for; default: the stored seat, or the one to move if both are stored
    #[arg(long)]
    pub seat: Option<SeatName>,
}
