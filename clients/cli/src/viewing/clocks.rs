//! Clocks at the time of viewing.

use prost_types::Timestamp;
use wire::v1::View;

/// Returns the view with running clocks advanced to the service's time, if it is the newest position. Clocks
/// of an earlier position show what they showed then.
pub(crate) fn with_current_clocks(view: View, head_seq: u32, server_time: Option<&Timestamp>) -> View {
    match server_time {
        Some(now) if view.seq >= head_seq => board::clocks_at(view, now),
        Some(_) | None => view,
    }
}
