//! What a seat remembers of a match: the position, rebuilt from the events it was shown.

use replay::LocalPosition;
use rules::{Games, State};
use wire::v1::Event;

/// A seat's memory of one match.
#[derive(Default)]
pub enum Memory {
    /// No event was observed yet.
    #[default]
    Empty,
    /// The events hide nothing: the position after the last one observed.
    Complete(Box<LocalPosition>),
    /// The events hide something, or a later version's rules apply: only the current view counts.
    Partial,
}

impl Memory {
    /// Observes the next event of the match.
    pub fn observe(&mut self, event: &Event) {
        *self = match std::mem::take(self) {
            Self::Empty => LocalPosition::start(Games::built_in(), event)
                .map_or(Self::Partial, |local| Self::Complete(Box::new(local))),
            // A bot whose position diverged still plays, at random.
            Self::Complete(mut local) => match local.apply(event) {
                Ok(()) => Self::Complete(local),
                Err(_) => Self::Partial,
            },
            Self::Partial => Self::Partial,
        };
    }

    /// Returns the seq after which the next events are needed, or `None` if no event is of use any more.
    pub fn last_seq(&self) -> Option<u32> {
        match self {
            Self::Empty => Some(0),
            Self::Complete(local) => Some(local.seq().0),
            Self::Partial => None,
        }
    }

    /// Returns the whole state and the seq it belongs to, if the memory has it.
    pub fn state(&self) -> Option<(&State, u32)> {
        match self {
            Self::Complete(local) => Some((local.state().rules_state(), local.seq().0)),
            Self::Empty | Self::Partial => None,
        }
    }
}
