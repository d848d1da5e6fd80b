//! The viewer that a request asks for, as far as the caller may look as that viewer.

use event::Seat;
use rules::Viewer;
use wire::v1::{self as proto, ErrorReason};

use super::party::not_your_seat;
use crate::Refusal;
use crate::live::LiveHead;
use crate::requests::fields;

/// Returns the viewer that a request asks for, by default the caller itself. Refuses another seat, and the
/// open view before the end.
pub(crate) fn requested_viewer(
    own: Viewer<Seat>,
    head: &LiveHead,
    requested: Option<&proto::Viewer>,
) -> Result<Viewer<Seat>, Refusal> {
    match fields::viewer("viewer", requested, head.position.seat_count())? {
        None => Ok(own),
        Some(Viewer::Spectator) => Ok(Viewer::Spectator),
        Some(Viewer::Open) if head.position.result().is_some() => Ok(Viewer::Open),
        Some(Viewer::Open) => {
            let message = "the open view exists only once the match is over; get the view of another viewer";
            Err(Refusal::new(ErrorReason::MatchNotOver, message).with("paragraph", "G-9"))
        }
        Some(viewer) if own == viewer => Ok(own),
        Some(Viewer::Seat(_)) => Err(not_your_seat("the view")),
    }
}
