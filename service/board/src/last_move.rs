//! The last move of a position, as far as its viewer was shown it: what drawings highlight.

use wire::v1::{Event, Fact, Move, TurnRevealed, View, event};

/// The newest move or resolved turn, if any.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LastMove<'a> {
    event: Option<&'a Event>,
}

impl<'a> LastMove<'a> {
    /// Takes `event` as the last move if it is a move or a resolved turn.
    pub(crate) fn of_event(event: &'a Event) -> Self {
        Self { event: Some(event).filter(|event| is_move(event)) }
    }

    /// Finds the newest move among `events` that is not newer than the view and was not taken back before it.
    pub(crate) fn find(view: &View, events: &'a [Event]) -> Self {
        let mut past: Vec<&Event> = events.iter().filter(|event| event.seq <= view.seq).collect();
        past.sort_unstable_by_key(|event| event.seq);
        let mut moves: Vec<&Event> = Vec::new();
        for event in past {
            match &event.kind {
                Some(event::Kind::ProposalAnswered(answered)) => {
                    let taken = usize::try_from(answered.moves_taken_back).unwrap_or(usize::MAX);
                    moves.truncate(moves.len().saturating_sub(taken));
                }
                _ if is_move(event) => moves.push(event),
                _ => {}
            }
        }
        Self { event: moves.last().copied() }
    }

    /// Returns what the move brought about; empty without a last move.
    pub(crate) fn facts(self) -> &'a [Fact] {
        self.event.map_or(&[], |event| &event.facts)
    }

    /// Returns the choice of `seat`, if the last move was the reveal of a simultaneous turn.
    pub(crate) fn revealed_choice(self, seat: u32) -> Option<&'a Move> {
        let Some(event::Kind::TurnRevealed(TurnRevealed { moves })) = self.event?.kind.as_ref() else {
            return None;
        };
        moves.iter().find(|revealed| revealed.seat == Some(seat))?.r#move.as_ref()
    }
}

fn is_move(event: &Event) -> bool {
    matches!(event.kind, Some(event::Kind::MoveMade(_) | event::Kind::TurnRevealed(_)))
}
