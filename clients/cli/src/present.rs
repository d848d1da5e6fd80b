//! Clocks as they stand when a position is looked at.

use prost_types::Timestamp;
use wire::v1::View;

/// The view with its clocks counted to the service's time, if it is the newest.
/// Those of an earlier position show what they showed then.
pub(crate) fn counted(view: View, head_seq: u32, server_time: Option<&Timestamp>) -> View {
    match server_time {
        Some(now) if view.seq >= head_seq => board::clocks_at(view, now),
        Some(_) | None => view,
    }
}
