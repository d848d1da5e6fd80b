//! Which sealed parts of a log a viewer may have.

use event::{Event, Part, RedactedEvent, Seat};
use rules::Viewer;
use wire::SealedContent;

use crate::{MatchPhase, Position, acting_seat, decode_entry};

impl Position {
    /// Copies an event of this position's log for a viewer's export, with its sealed part only if it is at
    /// hand and the viewer may have it.
    pub fn redacted_for<P: Part>(&self, viewer: Viewer<Seat>, event: &Event<P>) -> RedactedEvent {
        if self.discloses(viewer, event) { event.to_part() } else { event.redacted() }
    }

    /// Everybody who may see the match may have its players' names. A choice of the current turn is for its
    /// own seat, and for nobody once the match has ended without revealing it (AD-5). What the log opens
    /// itself is not repeated.
    fn discloses<P>(&self, viewer: Viewer<Seat>, event: &Event<P>) -> bool {
        let Ok(entry) = decode_entry(event.kind, event.public.clone()) else { return false };
        match entry.sealed_content() {
            Some(SealedContent::Player) => true,
            Some(SealedContent::Choice) => {
                let is_current = event.seq > self.settled_seq && matches!(self.phase, MatchPhase::Running(_));
                is_current && acting_seat(&entry).is_some_and(|seat| viewer == Viewer::Seat(seat))
            }
            Some(SealedContent::Seed) | None => false,
        }
    }
}
