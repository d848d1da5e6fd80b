//! The public part of an event, decoded, and the numbers of the kinds.

use bytes::Bytes;
use event::EventKind;
use prost::Message;
use rules::Seat;
use wire::log::v1 as log;

use crate::{Fault, convert};

/// A decoded public part.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// The match begins.
    MatchCreated(log::MatchCreated),
    /// The match goes on from another one's position.
    MatchForked(log::MatchForked),
    /// A player took a seat.
    SeatClaimed(log::SeatClaimed),
    /// A seat got a new token.
    SeatTokenRotated(log::SeatTokenRotated),
    /// Both seats are taken.
    MatchStarted(log::MatchStarted),
    /// A seat moved.
    MoveMade(log::MoveMade),
    /// A seat chose in secret.
    MoveSealed(log::MoveSealed),
    /// Both choices are opened.
    TurnRevealed(log::TurnRevealed),
    /// A seat offers a draw.
    DrawOffered(log::DrawOffered),
    /// A seat declines the other's offer.
    DrawDeclined(log::DrawDeclined),
    /// The match is over.
    MatchEnded(log::MatchEnded),
}

impl Entry {
    /// Its kind.
    pub fn kind(&self) -> EventKind {
        match self {
            Self::MatchCreated(_) => EventKind::MatchCreated,
            Self::MatchForked(_) => EventKind::MatchForked,
            Self::SeatClaimed(_) => EventKind::SeatClaimed,
            Self::SeatTokenRotated(_) => EventKind::SeatTokenRotated,
            Self::MatchStarted(_) => EventKind::MatchStarted,
            Self::MoveMade(_) => EventKind::MoveMade,
            Self::MoveSealed(_) => EventKind::MoveSealed,
            Self::TurnRevealed(_) => EventKind::TurnRevealed,
            Self::DrawOffered(_) => EventKind::DrawOffered,
            Self::DrawDeclined(_) => EventKind::DrawDeclined,
            Self::MatchEnded(_) => EventKind::MatchEnded,
        }
    }

    /// The game and the rules version that the match is pinned to; none if this is no first event.
    pub fn pinned(&self) -> Option<(&str, u32)> {
        match self {
            Self::MatchCreated(created) => Some((&created.game, created.rules_version)),
            Self::MatchForked(forked) => Some((&forked.game, forked.rules_version)),
            _ => None,
        }
    }

    /// The seat whose call it was; none of what the service or the rules do by themselves.
    pub fn seat(&self) -> Option<Seat> {
        let seat = match self {
            Self::SeatClaimed(claim) => claim.seat,
            Self::SeatTokenRotated(rotated) => rotated.seat,
            Self::MoveMade(made) => made.seat,
            Self::MoveSealed(choice) => choice.seat,
            Self::DrawOffered(offered) => offered.seat,
            Self::DrawDeclined(declined) => declined.seat,
            Self::MatchEnded(ended) => {
                return match ended.ended_by() {
                    log::EndedBy::SeatZero => Some(Seat::Zero),
                    log::EndedBy::SeatOne => Some(Seat::One),
                    log::EndedBy::Unspecified | log::EndedBy::Rules | log::EndedBy::Service => None,
                };
            }
            Self::MatchCreated(_) | Self::MatchForked(_) | Self::MatchStarted(_) | Self::TurnRevealed(_) => {
                return None;
            }
        };
        convert::seat_from_wire(seat)
    }

    /// The bytes to store; made once, kept for ever.
    pub fn encode(&self) -> Bytes {
        match self {
            Self::MatchCreated(message) => message.encode_to_vec(),
            Self::MatchForked(message) => message.encode_to_vec(),
            Self::SeatClaimed(message) => message.encode_to_vec(),
            Self::SeatTokenRotated(message) => message.encode_to_vec(),
            Self::MatchStarted(message) => message.encode_to_vec(),
            Self::MoveMade(message) => message.encode_to_vec(),
            Self::MoveSealed(message) => message.encode_to_vec(),
            Self::TurnRevealed(message) => message.encode_to_vec(),
            Self::DrawOffered(message) => message.encode_to_vec(),
            Self::DrawDeclined(message) => message.encode_to_vec(),
            Self::MatchEnded(message) => message.encode_to_vec(),
        }
        .into()
    }

    /// Reads stored bytes of a kind.
    pub fn decode(kind: u16, public: Bytes) -> Result<Self, Fault> {
        let known = EventKind::from_number(kind).ok_or(Fault::UnknownKind(kind))?;
        let entry = match known {
            EventKind::MatchCreated => log::MatchCreated::decode(public).map(Self::MatchCreated),
            EventKind::MatchForked => log::MatchForked::decode(public).map(Self::MatchForked),
            EventKind::SeatClaimed => log::SeatClaimed::decode(public).map(Self::SeatClaimed),
            EventKind::SeatTokenRotated => log::SeatTokenRotated::decode(public).map(Self::SeatTokenRotated),
            EventKind::MatchStarted => log::MatchStarted::decode(public).map(Self::MatchStarted),
            EventKind::MoveMade => log::MoveMade::decode(public).map(Self::MoveMade),
            EventKind::MoveSealed => log::MoveSealed::decode(public).map(Self::MoveSealed),
            EventKind::TurnRevealed => log::TurnRevealed::decode(public).map(Self::TurnRevealed),
            EventKind::DrawOffered => log::DrawOffered::decode(public).map(Self::DrawOffered),
            EventKind::DrawDeclined => log::DrawDeclined::decode(public).map(Self::DrawDeclined),
            EventKind::MatchEnded => log::MatchEnded::decode(public).map(Self::MatchEnded),
        };
        entry.map_err(|_| Fault::Undecodable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_those_of_the_stored_schema() {
        for number in 0..=100 {
            let schema = log::EventKind::try_from(i32::from(number)).ok();
            let schema = schema.filter(|kind| *kind != log::EventKind::Unspecified);
            let name = schema.map(|kind| kind.as_str_name().trim_start_matches("EVENT_KIND_").to_lowercase());
            assert_eq!(EventKind::from_number(number).map(EventKind::as_str), name.as_deref(), "{number}");
        }
    }
}
