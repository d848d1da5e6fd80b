//! The conditions of a directory listing.

use crate::store::MatchRange;
use crate::{MatchStatus, Visibility};

/// Returns the columns that a range fixes to a value. The first one has the index that leaves the fewest rows
/// to skip, as far as that is known without statistics.
pub(crate) fn list_conditions(range: &MatchRange) -> Vec<(&'static str, &str)> {
    let status = range.status.map(MatchStatus::as_str);
    let (unfinished, over) = match range.status {
        Some(MatchStatus::Over) => (None, status),
        _ => (status, None),
    };
    let by_selectivity = [
        ("seat_0_player", range.players[0].as_deref()),
        ("seat_1_player", range.players[1].as_deref()),
        ("owner", range.owner.as_deref()),
        ("status", unfinished),
        ("game", range.game.as_deref()),
        ("status", over),
        ("visibility", range.visibility.map(Visibility::as_str)),
    ];
    by_selectivity.into_iter().filter_map(|(column, value)| Some((column, value?))).collect()
}
