//! The public part of a stored event, and what holds for each kind of events. An event is stored as its
//! kind's number and the bytes of its kind's message; the enum is generated from `EventKind`.

use prost::bytes::{Buf as _, Bytes, BytesMut};
use prost::encoding::{WireType, decode_key, encode_key};
use prost::{DecodeError, Message as _};

use crate::log::v1::public_part::Entry;
use crate::log::v1::{EndedBy, EventKind, MatchEnded, ProposalAnswered, ProposalKind, PublicPart};

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

/// What a sealed part holds, and so who may open it before the log does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SealedContent {
    /// The service's contribution to the seed: nobody.
    Seed,
    /// A player: everybody who may see the match, unless erased. The log never opens it.
    Player,
    /// A choice of a simultaneous turn: its seat, during the turn.
    Choice,
}

/// The part of a log in which events of a kind occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// Event 1.
    Creation,
    /// Between the first event and the start of play.
    BeforeStart,
    /// Between the start of play and the end.
    InPlay,
    /// Between the first event and the end.
    BeforeEnd,
}

/// What an event's kind and public part say about it.
struct Row {
    kind: EventKind,
    /// Number of the seat that acts, if a seat does.
    seat: Option<u32>,
    cause: Cause,
    /// `None` if events of this kind have no sealed part.
    sealed: Option<SealedContent>,
    period: Period,
}

impl Entry {
    /// The table of kinds.
    fn row(&self) -> Row {
        use Cause::{PreviousEvent, Request};
        use Period::{BeforeEnd, BeforeStart, Creation, InPlay};
        use SealedContent::{Choice, Player, Seed};

        let (kind, seat, cause, sealed, period) = match self {
            Self::MatchCreated(_) => (EventKind::MatchCreated, None, Request, Some(Seed), Creation),
            Self::MatchForked(_) => (EventKind::MatchForked, None, Request, Some(Seed), Creation),
            Self::SeatClaimed(it) => (EventKind::SeatClaimed, it.seat, Request, Some(Player), BeforeStart),
            Self::SeatTokenRotated(it) => (EventKind::SeatTokenRotated, it.seat, Request, None, BeforeEnd),
            Self::MatchStarted(_) => (EventKind::MatchStarted, None, PreviousEvent, None, BeforeStart),
            Self::MoveMade(it) => (EventKind::MoveMade, it.seat, Request, None, InPlay),
            Self::MoveSealed(it) => (EventKind::MoveSealed, it.seat, Request, Some(Choice), InPlay),
            Self::TurnRevealed(_) => (EventKind::TurnRevealed, None, PreviousEvent, None, InPlay),
            Self::ProposalMade(it) => (EventKind::ProposalMade, it.seat, Request, None, InPlay),
            Self::ProposalAnswered(it) => (EventKind::ProposalAnswered, it.seat, Request, None, InPlay),
            Self::MatchEnded(it) => (EventKind::MatchEnded, it.seat, cause_of_end(it), None, BeforeEnd),
        };
        Row { kind, seat, cause, sealed, period }
    }

    /// Decodes the stored bytes of a kind. Returns `None` if this build does not know the kind.
    pub fn decode(kind: u16, public: Bytes) -> Result<Option<Self>, DecodeError> {
        if EventKind::from_number(kind).is_none() {
            return Ok(None);
        }
        let mut field = BytesMut::new();
        encode_key(kind.into(), WireType::LengthDelimited, &mut field);
        prost::encode_length_delimiter(public.len(), &mut field).expect("a buffer that grows is never full");
        PublicPart::decode(field.chain(public)).map(|part| part.entry)
    }

    /// Encodes the message of the entry's kind. Its bytes are stored and never encoded again.
    pub fn public_bytes(&self) -> Bytes {
        let mut field = BytesMut::with_capacity(self.encoded_len());
        self.encode(&mut field);
        let mut message = field.freeze();
        let is_field = decode_key(&mut message).and_then(|_| prost::decode_length_delimiter(&mut message));
        assert_eq!(is_field, Ok(message.len()), "a oneof is encoded as one field");
        message
    }

    /// Returns the event's kind.
    pub fn kind(&self) -> EventKind {
        self.row().kind
    }

    /// Returns the number of the seat that acts, or `None` if the service or the rules do.
    pub fn seat_number(&self) -> Option<u32> {
        self.row().seat
    }

    /// Returns what brings the event about.
    pub fn cause(&self) -> Cause {
        self.row().cause
    }

    /// Returns what the sealed part of events of this kind holds, or `None` if they have none.
    pub fn sealed_content(&self) -> Option<SealedContent> {
        self.row().sealed
    }

    /// Returns when events of this kind occur.
    pub fn period(&self) -> Period {
        self.row().period
    }

    /// Returns the game and rules version that the match is pinned to, or `None` if this is not a first
    /// event.
    pub fn pinned(&self) -> Option<(&str, u32)> {
        let terms = match self {
            Self::MatchCreated(created) => created.terms.as_ref(),
            Self::MatchForked(forked) => forked.terms.as_ref(),
            _ => None,
        };
        terms.map(|terms| (terms.game_id.as_str(), terms.rules_version))
    }

    /// Returns whether moves planned for an older position are stale after this event.
    pub fn settles_position(&self) -> bool {
        match self {
            Self::MoveMade(_) | Self::TurnRevealed(_) | Self::MatchEnded(_) => true,
            Self::ProposalAnswered(answered) => answered.is_takeback(),
            Self::MatchCreated(_)
            | Self::MatchForked(_)
            | Self::SeatClaimed(_)
            | Self::SeatTokenRotated(_)
            | Self::MatchStarted(_)
            | Self::MoveSealed(_)
            | Self::ProposalMade(_) => false,
        }
    }
}

impl ProposalAnswered {
    /// Returns whether it takes back moves.
    pub fn is_takeback(&self) -> bool {
        self.accepted && self.kind() == ProposalKind::Takeback
    }
}

impl EventKind {
    /// Returns the kind with this stored number, or `None` if this build does not know it.
    pub fn from_number(number: u16) -> Option<Self> {
        Self::try_from(i32::from(number)).ok().filter(|kind| *kind != Self::Unspecified)
    }

    /// Returns the stored and hashed number, which never changes.
    pub fn number(self) -> u16 {
        self as u16
    }

    /// Returns the name in lower case, such as `move_made`.
    pub fn word(self) -> String {
        self.as_str_name().trim_start_matches("EVENT_KIND_").to_lowercase()
    }
}

fn cause_of_end(ended: &MatchEnded) -> Cause {
    match ended.ended_by() {
        EndedBy::Seat => Cause::Request,
        EndedBy::Rules => Cause::PreviousEvent,
        EndedBy::Service | EndedBy::Unspecified => Cause::Deadline,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::v1::SeatClaimed;

    #[test]
    fn every_kind_of_the_schema_decodes_as_itself() {
        let kinds: Vec<_> = (0..=100).filter_map(EventKind::from_number).collect();
        assert!(kinds.len() >= 11);
        for kind in kinds {
            let entry = Entry::decode(kind.number(), Bytes::new()).unwrap().unwrap();
            assert_eq!(entry.kind(), kind);
            assert_eq!(entry.public_bytes(), Bytes::new(), "{}", kind.word());
        }
    }

    #[test]
    fn an_unknown_kind_is_no_entry() {
        for kind in [0, 100, u16::MAX] {
            assert_eq!(Entry::decode(kind, Bytes::from_static(&[255])), Ok(None));
        }
    }

    #[test]
    fn an_entry_is_stored_as_its_message_alone() {
        let claim = SeatClaimed { seat: Some(2), entropy: vec![7; 300] };
        let entry = Entry::SeatClaimed(claim.clone());
        assert_eq!(entry.public_bytes(), claim.encode_to_vec());
        assert_eq!(Entry::decode(3, entry.public_bytes()), Ok(Some(entry)));
    }

    #[test]
    fn bytes_that_are_not_the_message_do_not_decode() {
        // The last one ends within a field.
        for public in [&[255][..], &[8, 1, 7], &[18, 5, 1]] {
            assert!(Entry::decode(3, Bytes::copy_from_slice(public)).is_err(), "{public:?}");
        }
    }

    #[test]
    fn words_are_lower_case() {
        assert_eq!(EventKind::SeatTokenRotated.word(), "seat_token_rotated");
    }
}
