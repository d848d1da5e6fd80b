//! The line under a drawing's heading that names the origin of a forked match.

use wire::v1::{ForkedFrom, View};

use crate::printable;

/// Returns the forked position: `match ID, position 7`.
pub(super) fn position(from: &ForkedFrom) -> String {
    format!("match {}, position {}", printable(&from.match_id), from.seq)
}

/// Returns what to say about a match's origin and open information; `None` for an ordinary match.
pub(crate) fn fork_line(view: &View) -> Option<String> {
    let open = "Open information: everyone sees everything";
    match (view.forked_from.as_ref(), view.open_information) {
        (Some(from), true) => Some(format!("Forked from {}. {open}.", position(from))),
        (Some(from), false) => Some(format!("Forked from {}.", position(from))),
        (None, true) => Some(format!("{open}.")),
        (None, false) => None,
    }
}
