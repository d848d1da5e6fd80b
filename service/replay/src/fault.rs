//! What can be wrong with a log. A log that does not replay is reported, never guessed at.

use event::{MatchId, Seq};
use rules::Paragraph;

/// Maximum number of times that the token of a seat is replaced in a match. It bounds what rotations add to a
/// log.
pub const MAX_ROTATIONS: u32 = 80;

/// The generation of a seat's last token.
pub(crate) const MAX_GENERATION: u32 = MAX_ROTATIONS + 1;

/// A log that does not replay, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("match {match_id}, event {seq}: {fault}")]
pub struct ReplayError {
    /// The match.
    pub match_id: MatchId,
    /// Number of the first wrong event.
    pub seq: Seq,
    /// What is wrong with it.
    pub fault: Fault,
}

impl ReplayError {
    pub(crate) fn new(match_id: MatchId, seq: Seq, fault: Fault) -> Self {
        Self { match_id, seq: fault.place(seq), fault }
    }
}

/// What can be wrong with an event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// An event is missing, duplicated or out of order.
    #[error("event {found} stands in its place")]
    Gap {
        /// Number that the event should have.
        expected: Seq,
        /// Number that it has.
        found: Seq,
    },
    /// Record times must increase.
    #[error("its record time is not after the previous event's")]
    TimeNotGrowing,
    /// The stored hash is not the hash of the stored bytes.
    #[error("its hash does not fit its contents and the previous hash")]
    BrokenChain,
    /// The bytes are not an event of their kind in its one canonical encoding.
    #[error("its public or sealed part is not the canonical encoding of an event of its kind")]
    Undecodable,
    /// Options or a move are not a message of the match's game in its one canonical encoding.
    #[error("its options or a move of it are not the canonical encoding of a message of the game")]
    ForeignToGame,
    /// A seat moves that is not to act.
    #[error("it is not its seat's turn")]
    NotToAct,
    /// This build does not know the kind.
    #[error("this program knows no event of kind {0}")]
    UnknownKind(u16),
    /// This build does not have the game or its rules version.
    #[error("this build does not have rules version {rules_version} of {game}")]
    UnknownRules {
        /// Id of the game.
        game: String,
        /// Rules version that the match is pinned to.
        rules_version: u32,
    },
    /// The pinned game is not played by this number of seats.
    #[error("{game} is not played by {seats} seats")]
    WrongSeats {
        /// Id of the game.
        game: String,
        /// Number of seats that the match is pinned to.
        seats: u32,
    },
    /// The event names a seat that the match does not have, or none where it must.
    #[error("it names no seat of the match")]
    UnknownSeat,
    /// The match is not at a point where such an event is possible.
    #[error("an event of its kind is not possible at this point")]
    OutOfPlace,
    /// A seat's token was replaced more often than a match allows.
    #[error("it replaces a seat's token more than {MAX_ROTATIONS} times")]
    TooManyRotations,
    /// An opening does not fit its commitment.
    #[error("its opening does not fit the commitment")]
    WrongOpening,
    /// This copy of the log lacks the secret that the deal depends on.
    #[error("the seed is still sealed, so the deal can't be rebuilt")]
    SeedSealed,
    /// The pinned rules reject what was recorded.
    #[error("the rules reject it ({0})")]
    Refused(Paragraph),
    /// The rules lead to another state than was played.
    #[error("the rules lead to another state than the recorded one")]
    DigestDiffers,
    /// Neither the rules nor the clocks nor a seat's request lead to the recorded result.
    #[error("the match can't end with this result here")]
    WrongResult,
    /// A move was recorded after its seat's time and the grace period.
    #[error("its move comes after the seat's time and grace period")]
    TooLate,
}

impl Fault {
    /// Returns the number of the first wrong event, given the number of the event with the fault. Where
    /// events are missing or out of order, that is the number that should follow.
    pub fn place(&self, seq: Seq) -> Seq {
        if let Self::Gap { expected, .. } = self { *expected } else { seq }
    }
}
