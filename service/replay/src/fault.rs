//! What can be wrong with a log. A log that does not fold is never guessed at.

use event::{MatchId, Seq};
use rules::Paragraph;

/// A log that cannot be folded, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("match {match_id}, event {seq}: {fault}")]
pub struct ReplayError {
    /// The match.
    pub match_id: MatchId,
    /// The first event that is wrong.
    pub seq: Seq,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with an event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// An event is missing, doubled or out of order.
    #[error("expected event {expected} here")]
    Gap {
        /// The seq that should have come.
        expected: Seq,
    },
    /// Recorded times must grow.
    #[error("recorded no later than the event before it")]
    TimeNotGrowing,
    /// The stored hash is not that of the stored bytes.
    #[error("its hash does not fit its contents and the events before it")]
    BrokenChain,
    /// The bytes are no event of their kind.
    #[error("its public or sealed part can't be read as an event of its kind")]
    Undecodable,
    /// A kind that this build does not know.
    #[error("this build knows no event of kind {0}")]
    UnknownKind(u16),
    /// A game or rules version that this build does not have.
    #[error("this build can't replay {game} by rules version {rules_version}")]
    UnknownRules {
        /// The game's id.
        game: String,
        /// The version the match is pinned to.
        rules_version: u32,
    },
    /// Such an event cannot come at this point of a match.
    #[error("an event of its kind can't come at this point")]
    OutOfPlace,
    /// An opened part is not what was committed to.
    #[error("it opens something else than was sealed")]
    WrongOpening,
    /// What the deal depends on is not in this copy of the log.
    #[error("the seed is still sealed, so the deal can't be rebuilt")]
    SeedSealed,
    /// The pinned rules refuse what was recorded.
    #[error("the rules refuse it ({0})")]
    Refused(Paragraph),
    /// The rules now lead to another state than was played.
    #[error("the rules lead to another state than the one recorded")]
    DigestDiffers,
    /// The recorded result is not the one that the rules, the clocks or the seats' calls give.
    #[error("the match can't end like this here")]
    WrongResult,
    /// A move was recorded after its seat's time and grace.
    #[error("a move later than its seat's time")]
    TooLate,
}
