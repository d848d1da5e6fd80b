//! For whom a match is shown: the viewer, and what the caller may know of the players. Names are kept outside
//! the log, so every response takes them from here.

use std::sync::Arc;

use event::Seat;
use replay::{AppliedEvent, Position};
use rules::Viewer;
use wire::v1 as proto;

use super::Players;
use super::shown::player_shown;

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
            claim.player = self.player(claim.seat);
        }
        shown
    }

    /// Names the players of a match's claimed seats.
    pub(super) fn name(&self, seats: &mut [proto::SeatStatus]) {
        for seat in seats.iter_mut().filter(|seat| seat.claimed) {
            seat.player = self.player(seat.seat);
        }
    }

    fn player(&self, seat: Option<u32>) -> Option<proto::Player> {
        let seat = seat.and_then(replay::seat_from_wire)?;
        self.players.get(seat)?.as_ref().map(player_shown)
    }
}
