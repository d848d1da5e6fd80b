//! For whom a match is shown: the viewer, and what the caller may know of the players. Names are kept outside
//! the log, so every response takes them from here.

use std::sync::Arc;

use event::Seat;
use replay::{AppliedEvent, Position};
use rules::Viewer;
use wire::v1 as proto;

use super::Players;

/// A caller to whom a match is shown.
#[derive(Clone)]
pub(crate) struct Audience {
    viewer: Viewer<Seat>,
    players: Arc<Players>,
}

impl Audience {
    pub(super) fn new(viewer: Viewer<Seat>, players: &Arc<Players>) -> Self {
        Self { viewer, players: Arc::clone(players) }
    }

    /// Returns a position as the caller may see it.
    pub(crate) fn view(&self, position: &Position) -> proto::View {
        let mut view = position.shown(self.viewer);
        self.name(&mut view.seats);
        view
    }

    /// Returns an event as the caller may see it.
    pub(crate) fn event(&self, event: &AppliedEvent) -> proto::Event {
        let mut shown = event.shown(self.viewer);
        if let Some(proto::event::Kind::SeatClaimed(claim)) = &mut shown.kind {
            claim.player_name = self.player_name(claim.seat);
        }
        shown
    }

    /// Names the players of a match's claimed seats.
    pub(super) fn name(&self, seats: &mut [proto::SeatStatus]) {
        for seat in seats.iter_mut().filter(|seat| seat.claimed) {
            seat.player_name = self.player_name(seat.seat);
        }
    }

    fn player_name(&self, seat: Option<u32>) -> String {
        let seat = seat.and_then(replay::seat_from_wire);
        let player = seat.and_then(|seat| self.players.get(seat)?.as_ref());
        player.map(|player| player.display_name.clone()).unwrap_or_default()
    }
}
