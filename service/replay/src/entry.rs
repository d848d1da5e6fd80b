//! The public part of an event, decoded, and the numbers of the kinds.

use bytes::Bytes;
use prost::Message;
use wire::log::v1 as log;

use crate::Fault;

/// The number that tells what the public bytes of an event are.
pub use wire::log::v1::EventKind;

/// A decoded public part.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// The match begins.
    MatchCreated(log::MatchCreated),
    /// A player took a seat.
    SeatClaimed(log::SeatClaimed),
    /// Both seats are taken.
    MatchStarted(log::MatchStarted),
    /// A seat moved.
    MoveMade(log::MoveMade),
    /// A seat chose in secret.
    MoveSealed(log::MoveSealed),
    /// Both choices are opened.
    TurnRevealed(log::TurnRevealed),
    /// The match is over.
    MatchEnded(log::MatchEnded),
}

impl Entry {
    /// Its kind.
    pub fn kind(&self) -> EventKind {
        match self {
            Self::MatchCreated(_) => EventKind::MatchCreated,
            Self::SeatClaimed(_) => EventKind::SeatClaimed,
            Self::MatchStarted(_) => EventKind::MatchStarted,
            Self::MoveMade(_) => EventKind::MoveMade,
            Self::MoveSealed(_) => EventKind::MoveSealed,
            Self::TurnRevealed(_) => EventKind::TurnRevealed,
            Self::MatchEnded(_) => EventKind::MatchEnded,
        }
    }

    /// The bytes to store; made once, kept for ever.
    pub fn encode(&self) -> Bytes {
        match self {
            Self::MatchCreated(message) => message.encode_to_vec(),
            Self::SeatClaimed(message) => message.encode_to_vec(),
            Self::MatchStarted(message) => message.encode_to_vec(),
            Self::MoveMade(message) => message.encode_to_vec(),
            Self::MoveSealed(message) => message.encode_to_vec(),
            Self::TurnRevealed(message) => message.encode_to_vec(),
            Self::MatchEnded(message) => message.encode_to_vec(),
        }
        .into()
    }

    /// Reads stored bytes of a kind.
    pub fn decode(kind: u16, public: Bytes) -> Result<Self, Fault> {
        let known = EventKind::try_from(i32::from(kind)).map_err(|_| Fault::UnknownKind(kind))?;
        let entry = match known {
            EventKind::Unspecified => return Err(Fault::UnknownKind(kind)),
            EventKind::MatchCreated => log::MatchCreated::decode(public).map(Self::MatchCreated),
            EventKind::SeatClaimed => log::SeatClaimed::decode(public).map(Self::SeatClaimed),
            EventKind::MatchStarted => log::MatchStarted::decode(public).map(Self::MatchStarted),
            EventKind::MoveMade => log::MoveMade::decode(public).map(Self::MoveMade),
            EventKind::MoveSealed => log::MoveSealed::decode(public).map(Self::MoveSealed),
            EventKind::TurnRevealed => log::TurnRevealed::decode(public).map(Self::TurnRevealed),
            EventKind::MatchEnded => log::MatchEnded::decode(public).map(Self::MatchEnded),
        };
        entry.map_err(|_| Fault::Undecodable)
    }
}
