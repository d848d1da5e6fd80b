//! The last move, as far as the events tell it that a viewer was shown.

use wire::v1::{Event, Fact, Move, Seat, TurnRevealed, View, event};

/// What the newest move or resolved turn up to a position was.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LastMove<'a> {
    event: Option<&'a Event>,
}

impl<'a> LastMove<'a> {
    /// The newest one among the events that is not newer than the view.
    pub(super) fn of(view: &View, events: &'a [Event]) -> Self {
        let is_move = |event: &&Event| {
            matches!(event.kind, Some(event::Kind::MoveMade(_) | event::Kind::TurnRevealed(_)))
        };
        let known = events.iter().filter(|event| event.seq <= view.seq);
        Self { event: known.filter(is_move).max_by_key(|event| event.seq) }
    }

    /// What it brought about.
    pub(super) fn facts(self) -> &'a [Fact] {
        self.event.map_or(&[], |event| &event.facts)
    }

    /// The choice of this seat, if the last move was a turn that was opened.
    pub(super) fn choice(self, seat: Seat) -> Option<&'a Move> {
        let Some(event::Kind::TurnRevealed(TurnRevealed { moves })) = self.event?.kind.as_ref() else {
            return None;
        };
        moves.iter().find(|revealed| revealed.seat() == seat)?.r#move.as_ref()
    }
}
