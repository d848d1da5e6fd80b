//! The public part of an event, decoded.

use bytes::Bytes;
use event::EventKind;
use prost::Message;
use rules::Seat;
use wire::log::v1 as log;

use crate::{Fault, convert};

/// A decoded public part. [`EventKind`] says what each kind means.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the variants are those of EventKind")]
pub enum Entry {
    MatchCreated(log::MatchCreated),
    MatchForked(log::MatchForked),
    SeatClaimed(log::SeatClaimed),
    SeatTokenRotated(log::SeatTokenRotated),
    MatchStarted(log::MatchStarted),
    MoveMade(log::MoveMade),
    MoveSealed(log::MoveSealed),
    TurnRevealed(log::TurnRevealed),
    DrawOffered(log::DrawOffered),
    DrawDeclined(log::DrawDeclined),
    MatchEnded(log::MatchEnded),
}

/// What brings an event about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A request; the event is how the log knows it.
    Request,
    /// The event before it, which it follows at once.
    PreviousEvent,
    /// A deadline that passed.
    Deadline,
}

/// What the kinds of entries differ in.
struct Parts<'a> {
    kind: EventKind,
    /// Number of the seat that acts, if a seat does.
    seat: Option<i32>,
    message: &'a dyn Encode,
}

/// The part of [`Message`] that works on trait objects.
trait Encode {
    fn encode(&self) -> Vec<u8>;
}

impl<M: Message> Encode for M {
    fn encode(&self) -> Vec<u8> {
        self.encode_to_vec()
    }
}

impl Entry {
    fn parts(&self) -> Parts<'_> {
        let (kind, seat, message): (_, _, &dyn Encode) = match self {
            Self::MatchCreated(created) => (EventKind::MatchCreated, None, created),
            Self::MatchForked(forked) => (EventKind::MatchForked, None, forked),
            Self::SeatClaimed(claim) => (EventKind::SeatClaimed, Some(claim.seat), claim),
            Self::SeatTokenRotated(rotated) => (EventKind::SeatTokenRotated, Some(rotated.seat), rotated),
            Self::MatchStarted(started) => (EventKind::MatchStarted, None, started),
            Self::MoveMade(made) => (EventKind::MoveMade, Some(made.seat), made),
            Self::MoveSealed(choice) => (EventKind::MoveSealed, Some(choice.seat), choice),
            Self::TurnRevealed(turn) => (EventKind::TurnRevealed, None, turn),
            Self::DrawOffered(offered) => (EventKind::DrawOffered, Some(offered.seat), offered),
            Self::DrawDeclined(declined) => (EventKind::DrawDeclined, Some(declined.seat), declined),
            Self::MatchEnded(ended) => (EventKind::MatchEnded, ended_by_seat(ended), ended),
        };
        Parts { kind, seat, message }
    }

    /// Decodes the stored bytes of a kind.
    pub fn decode(kind: u16, public: Bytes) -> Result<Self, Fault> {
        match EventKind::from_number(kind).ok_or(Fault::UnknownKind(kind))? {
            EventKind::MatchCreated => read(public, Self::MatchCreated),
            EventKind::MatchForked => read(public, Self::MatchForked),
            EventKind::SeatClaimed => read(public, Self::SeatClaimed),
            EventKind::SeatTokenRotated => read(public, Self::SeatTokenRotated),
            EventKind::MatchStarted => read(public, Self::MatchStarted),
            EventKind::MoveMade => read(public, Self::MoveMade),
            EventKind::MoveSealed => read(public, Self::MoveSealed),
            EventKind::TurnRevealed => read(public, Self::TurnRevealed),
            EventKind::DrawOffered => read(public, Self::DrawOffered),
            EventKind::DrawDeclined => read(public, Self::DrawDeclined),
            EventKind::MatchEnded => read(public, Self::MatchEnded),
        }
    }

    /// Encodes the public part. Its bytes are stored and never encoded again.
    pub fn encode(&self) -> Bytes {
        self.parts().message.encode().into()
    }

    /// Returns the event's kind.
    pub fn kind(&self) -> EventKind {
        self.parts().kind
    }

    /// Returns the seat that acts, or `None` if the service or the rules do.
    pub fn seat(&self) -> Option<Seat> {
        self.parts().seat.and_then(convert::seat_from_wire)
    }

    /// Returns the game and rules version that the match is pinned to, or `None` if this is not a first
    /// event.
    pub fn pinned(&self) -> Option<(&str, u32)> {
        match self {
            Self::MatchCreated(created) => Some((&created.game, created.rules_version)),
            Self::MatchForked(forked) => Some((&forked.game, forked.rules_version)),
            _ => None,
        }
    }

    /// Returns whether events of this kind have a sealed part.
    pub fn has_sealed_part(&self) -> bool {
        matches!(
            self,
            Self::MatchCreated(_) | Self::MatchForked(_) | Self::SeatClaimed(_) | Self::MoveSealed(_)
        )
    }

    /// Returns what brings the event about.
    pub fn cause(&self) -> Cause {
        match self {
            Self::MatchStarted(_) | Self::TurnRevealed(_) => Cause::PreviousEvent,
            Self::MatchEnded(ended) => match ended.ended_by() {
                log::EndedBy::SeatZero | log::EndedBy::SeatOne => Cause::Request,
                log::EndedBy::Rules => Cause::PreviousEvent,
                log::EndedBy::Service | log::EndedBy::Unspecified => Cause::Deadline,
            },
            _ => Cause::Request,
        }
    }

    /// Returns whether moves planned for an older position are stale after this event.
    pub(crate) fn settles_position(&self) -> bool {
        matches!(self, Self::MoveMade(_) | Self::TurnRevealed(_) | Self::MatchEnded(_))
    }
}

fn read<M: Message + Default>(public: Bytes, entry: fn(M) -> Entry) -> Result<Entry, Fault> {
    M::decode(public).map(entry).map_err(|_| Fault::Undecodable)
}

fn ended_by_seat(ended: &log::MatchEnded) -> Option<i32> {
    let seat = match ended.ended_by() {
        log::EndedBy::SeatZero => Seat::Zero,
        log::EndedBy::SeatOne => Seat::One,
        log::EndedBy::Unspecified | log::EndedBy::Rules | log::EndedBy::Service => return None,
    };
    Some(convert::seat_to_wire(seat).into())
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
