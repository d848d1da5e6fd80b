//! A match's line in the directory: a projection of its log that changes at create, claim, rotate, start and end.

use std::fmt;

use crate::{MatchId, RecordedTime, Seq};

/// One match as the directory knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRow {
    /// Which match.
    pub match_id: MatchId,
    /// The name of the key that created it; empty if the service runs without keys.
    pub owner: String,
    /// Hash of the creating request's id; unique together with `owner`.
    pub create_request_hash: Option<[u8; 32]>,
    /// The game's id, `ace-exorcist` and so on.
    pub game: String,
    /// How far it has come.
    pub status: MatchStatus,
    /// Who may find it.
    pub visibility: Visibility,
    /// The time of its first event.
    pub created_time: RecordedTime,
    /// When both seats were taken.
    pub started_time: Option<RecordedTime>,
    /// When it ended.
    pub ended_time: Option<RecordedTime>,
    /// Seat 0 and seat 1.
    pub seats: [SeatRow; 2],
    /// The seat that won; none while running and after a draw.
    pub winner: Option<u8>,
    /// Why it ended, in the caller's words.
    pub reason: Option<String>,
    /// The position that it was forked from.
    pub parent: Option<(MatchId, Seq)>,
}

/// A seat as the directory knows it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SeatRow {
    /// Who sits there.
    pub player_name: Option<String>,
    /// Hash of the token that opens the seat.
    pub token_hash: Option<[u8; 32]>,
    /// How often the token was issued.
    pub generation: u32,
}

/// How far a match has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchStatus {
    /// Waits for players.
    Open,
    /// Is being played.
    Running,
    /// Has ended.
    Over,
}

/// Who may find a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Everybody, in the directory.
    Public,
    /// Whoever has its id.
    Unlisted,
    /// Its seats and its owner.
    Private,
}

/// What `Journal::list_matches` looks for, the last created first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchFilter {
    /// Whose eyes the list is for.
    pub scope: Scope,
    /// Only this game.
    pub game: Option<String>,
    /// Only matches that have come this far.
    pub status: Option<MatchStatus>,
    /// Only matches where this name sits in a seat.
    pub player: Option<String>,
    /// Only matches created at this time or later.
    pub created_since: Option<RecordedTime>,
    /// Only matches created before this time.
    pub created_before: Option<RecordedTime>,
    /// Only what comes after this match in the list: the last one of the page before.
    pub before: Option<MatchId>,
    /// At most so many.
    pub limit: u32,
}

/// Which matches a list may contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Public ones.
    Public,
    /// Public ones and all of this owner.
    PublicOrOwnedBy(String),
    /// All of this owner and no others.
    OwnedBy(String),
    /// Every match.
    Everything,
}

impl MatchStatus {
    /// The word in the database.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            MatchStatus::Open => "open",
            MatchStatus::Running => "running",
            MatchStatus::Over => "over",
        }
    }

    /// Reads the database's word.
    pub(crate) fn from_word(word: &str) -> Option<MatchStatus> {
        [MatchStatus::Open, MatchStatus::Running, MatchStatus::Over].into_iter().find(|s| s.as_str() == word)
    }
}

impl Visibility {
    /// The word in the database.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Visibility::Public => "public",
            Visibility::Unlisted => "unlisted",
            Visibility::Private => "private",
        }
    }

    /// Reads the database's word.
    pub(crate) fn from_word(word: &str) -> Option<Visibility> {
        [Visibility::Public, Visibility::Unlisted, Visibility::Private]
            .into_iter()
            .find(|v| v.as_str() == word)
    }
}

// Hashes of tokens have no business in a log.
impl fmt::Debug for SeatRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SeatRow")
            .field("player_name", &self.player_name)
            .field("generation", &self.generation)
            .finish_non_exhaustive()
    }
}
