//! What the last event changed, for boards that mark it.

use wire::v1::{Event, Fact, Move, Seat, TurnRevealed, event};

/// The choices that are to be marked on the board, and whose they are.
#[derive(Debug, Default)]
pub(crate) struct Marks<'a> {
    opened: Option<&'a TurnRevealed>,
    facts: &'a [Fact],
}

impl<'a> Marks<'a> {
    /// What this event opened or touched.
    pub(crate) fn of(event: &'a Event) -> Self {
        match &event.kind {
            Some(event::Kind::TurnRevealed(turn)) => Self { opened: Some(turn), facts: &event.facts },
            Some(event::Kind::MoveMade(_)) => Self { opened: None, facts: &event.facts },
            _ => Self::default(),
        }
    }

    /// What the turn brought about; empty if the event is none.
    pub(crate) fn facts(&self) -> &'a [Fact] {
        self.facts
    }

    /// The move of this seat that was opened.
    pub(crate) fn of_seat(&self, seat: Seat) -> Option<&'a Move> {
        let opened = self.opened?;
        opened.moves.iter().find(|revealed| revealed.seat() == seat)?.r#move.as_ref()
    }
}
