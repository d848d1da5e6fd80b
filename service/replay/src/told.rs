//! An event together with what it brought about, for showing it to viewers.

use event::{ChainHash, Commitment, RecordedTime, Seq};
use rules::{Fact, Move, Seat, Viewer};

use crate::{Entry, Position};

/// An event that was folded, with the facts that the rules derived from it. It
/// holds secrets, so it has no Debug; `shown` gives what a viewer may see.
#[derive(Clone)]
pub struct Told {
    pub(crate) seq: Seq,
    pub(crate) recorded_time: RecordedTime,
    pub(crate) hash: ChainHash,
    pub(crate) commitment: Option<Commitment>,
    pub(crate) entry: Entry,
    pub(crate) opened: Opened,
    pub(crate) facts: Vec<Fact>,
    pub(crate) openness: Openness,
}

/// How much of a match everybody may see.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Openness {
    /// Each viewer as much as the rules say.
    ByTheRules,
    /// All of the table: a fork, whose parent's secrets are open. Choices of a turn under way stay sealed.
    Everything,
}

impl Openness {
    pub(crate) fn of(position: &Position) -> Self {
        // Where turns are simultaneous the choices are the only secrets.
        let sealed_only = position.game().info().simultaneous;
        if position.has_open_information() && !sealed_only { Self::Everything } else { Self::ByTheRules }
    }

    /// Whose eyes a viewer looks with.
    pub(crate) fn eyes(self, viewer: Viewer) -> Viewer {
        match self {
            Self::ByTheRules => viewer,
            Self::Everything => Viewer::Open,
        }
    }
}

/// What stood sealed or opened in an event, decoded.
#[derive(Clone)]
pub(crate) enum Opened {
    /// Nothing that viewers are ever told.
    Nothing,
    /// A player's name.
    PlayerName(String),
    /// A move that all may see.
    Made(Move),
    /// A choice that its seat alone may see.
    Choice(Seat, Move),
    /// The choices of a turn, seat 0's first.
    Turn(Vec<(Seat, Move)>),
    /// The service's bytes of the seed.
    SeedBytes(Vec<u8>),
}

impl Told {
    /// The event's number.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// The event's public part.
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The seat and move of a move or sealed choice, for comparing a repeated
    /// request with the first one. Not for showing.
    pub fn submitted(&self) -> Option<(Seat, &Move)> {
        match (&self.opened, &self.entry) {
            (Opened::Choice(seat, made), _) => Some((*seat, made)),
            (Opened::Made(made), Entry::MoveMade(entry)) => {
                crate::seat_from_wire(entry.seat).map(|seat| (seat, made))
            }
            _ => None,
        }
    }

    /// The name that a claim gave, for comparing a repeated request with the
    /// first one.
    pub fn claimed_name(&self) -> Option<&str> {
        match &self.opened {
            Opened::PlayerName(name) => Some(name),
            _ => None,
        }
    }
}
