//! An event together with what applying it produced.

use event::{RedactedEvent, Seat, Seq};
use rules::{Fact, Move, Viewer};
use wire::log::v1 as log;

use crate::clock::Clocks;
use crate::{Entry, Position, acting_seat};

/// An event that was applied to a position, with the facts that the rules derived from it. It holds secrets,
/// so it implements no `Debug`; [`AppliedEvent::shown`] returns what a viewer may see.
#[derive(Clone)]
pub struct AppliedEvent {
    /// The event as it was applied.
    pub(crate) event: RedactedEvent,
    pub(crate) entry: Entry,
    pub(crate) opened: DecodedPart,
    pub(crate) facts: Vec<Fact>,
    /// Number of moves that the event takes back.
    pub(crate) moves_taken_back: usize,
    pub(crate) openness: Openness,
    /// The clocks after the event, while the match runs.
    pub(crate) clocks: Option<Clocks>,
}

/// How much of a match everybody may see.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Openness {
    /// Each viewer sees what the rules allow.
    ByTheRules,
    /// Everybody sees everything but unrevealed choices: in a fork the parent's secrets are open.
    Everything,
}

impl Openness {
    pub(crate) fn of(position: &Position) -> Self {
        // In a simultaneous game choices are the only secrets.
        let only_choices = position.game().info().simultaneous;
        if position.has_open_information() && !only_choices { Self::Everything } else { Self::ByTheRules }
    }

    /// Returns the viewer whose view of the state this viewer gets.
    pub(crate) fn effective(self, viewer: Viewer<Seat>) -> Viewer<Seat> {
        match self {
            Self::ByTheRules => viewer,
            Self::Everything => Viewer::Open,
        }
    }
}

/// A secret or an opening of an event, decoded.
#[derive(Clone)]
pub(crate) enum DecodedPart {
    /// Nothing that a viewer ever sees.
    None,
    /// A player.
    Player(log::Player),
    /// A public move.
    Move(Move),
    /// A sealed choice, for its own seat only.
    Choice(Seat, Move),
    /// The choices of a revealed turn, in order of seats.
    Turn(Vec<(Seat, Move)>),
    /// The service's contribution to the seed.
    SeedBytes(Vec<u8>),
}

impl AppliedEvent {
    /// Returns the event's number in the match.
    pub fn seq(&self) -> Seq {
        self.event.seq
    }

    /// Returns the event as it was applied, to apply it again elsewhere. Not for viewers.
    pub fn event(&self) -> &RedactedEvent {
        &self.event
    }

    /// Leaves out the player of a claim, as the log as it is stored does.
    pub(crate) fn withhold_player(&mut self) {
        if let Entry::SeatClaimed(_) = self.entry {
            self.event = self.event.redacted();
            self.opened = DecodedPart::None;
        }
    }

    /// Returns the decoded public part.
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// Returns seat and move of a move or sealed choice, to compare a repeated request with the first one.
    /// Not for viewers.
    pub fn submitted(&self) -> Option<(Seat, &Move)> {
        match &self.opened {
            DecodedPart::Choice(seat, mv) => Some((*seat, mv)),
            DecodedPart::Move(mv) => acting_seat(&self.entry).map(|seat| (seat, mv)),
            _ => None,
        }
    }

    /// Returns the player's name of a claim, if the event opens it.
    pub fn claimed_name(&self) -> Option<&str> {
        match &self.opened {
            DecodedPart::Player(player) => Some(&player.display_name),
            _ => None,
        }
    }
}
