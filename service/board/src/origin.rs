//! Where a match comes from, in one line.

use wire::v1::ForkedFrom;

use crate::printable;

/// The position that a match goes on from: `match ID, position 7`.
pub(crate) fn position(from: &ForkedFrom) -> String {
    format!("match {}, position {}", printable(&from.match_id), from.seq)
}

/// What is to be said under a heading; none in a match with an opening of its own
/// and nothing special about its information.
pub(crate) fn line(from: Option<&ForkedFrom>, is_open: bool) -> Option<String> {
    let open = "Open information: everybody may see everything";
    match (from, is_open) {
        (Some(from), true) => Some(format!("Forked from {}. {open}.", position(from))),
        (Some(from), false) => Some(format!("Forked from {}.", position(from))),
        (None, true) => Some(format!("{open}.")),
        (None, false) => None,
    }
}
