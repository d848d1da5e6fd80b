//! The directory's row of a match: a projection of its log that changes when the match is created, claimed,
//! started or over, and when a seat's token is rotated.

use std::fmt;

use crate::{MatchId, RecordTime, Seq};

/// A match in the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRow {
    /// The match.
    pub match_id: MatchId,
    /// What only this row holds, since the match's registration.
    pub registered: Registered,
    /// The game's id, such as `ace-exorcist`.
    pub game: String,
    /// The match's status.
    pub status: MatchStatus,
    /// Who may find the match.
    pub visibility: Visibility,
    /// The time of its first event.
    pub create_time: RecordTime,
    /// When both seats were claimed.
    pub start_time: Option<RecordTime>,
    /// When it ended.
    pub end_time: Option<RecordTime>,
    /// All seats, in order; `None` for a seat that nobody has claimed. At most eight.
    pub seats: Vec<Option<SeatRow>>,
    /// How it came out; `None` until it is over.
    pub outcome: Option<MatchOutcome>,
    /// The rank of each seat in order, 1 for the best, equal for seats that tied. Empty until the match is
    /// over, and if it was called off.
    pub ranks: Vec<u8>,
    /// The reason of the result, in the caller's words.
    pub reason: Option<String>,
    /// The match and event that it was forked from.
    pub parent: Option<(MatchId, Seq)>,
}

/// What is given when a match is registered, is not in its log and never changes. Each field may be absent,
/// because a match may be older than the field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registered {
    /// The name of the API key that created the match; empty if the service runs without keys.
    pub owner: String,
    /// The hash of the creating request's id; unique per owner.
    pub create_request_hash: Option<[u8; 32]>,
    /// The owner's own id of the match; unique per owner.
    pub external_id: Option<String>,
    /// The hash of the labels that the creating call gave. The labels themselves can change.
    pub labels_hash: Option<[u8; 32]>,
}

/// What no two matches share, apart from their ids.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CreateKey {
    /// The owner and the hash of the creating request.
    Request(String, [u8; 32]),
    /// The owner and its own id of the match.
    ExternalId(String, String),
}

/// A claimed seat of a match in the directory.
#[derive(Clone, PartialEq, Eq)]
pub struct SeatRow {
    /// The hash of the seat's token.
    pub token_hash: [u8; 32],
    /// How many tokens the seat has been issued; at least 1.
    pub generation: u32,
    /// The player, unless erased. Written when the seat is claimed; later writes of the row don't change it.
    pub player: Option<PlayerRow>,
}

/// What the directory knows of a player.
#[derive(Clone, PartialEq, Eq)]
pub struct PlayerRow {
    /// The salt of the commitment to the name in the claim's event.
    pub salt: [u8; 32],
    /// The name that everybody who may see the match sees.
    pub display_name: String,
    /// The id that the match's owner gave the player.
    pub player_id: Option<String>,
}

/// The status of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchStatus {
    /// A seat is unclaimed.
    Open,
    /// Both seats are claimed.
    Running,
    /// The match has ended.
    Over,
}

/// How a match came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchOutcome {
    /// At least one seat won: those of the first rank.
    Win,
    /// All seats tied.
    Draw,
    /// The match was called off.
    None,
}

/// Who may find a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Everyone; the directory lists it.
    Public,
    /// Everyone who knows its id.
    Unlisted,
    /// Its seats and its owner.
    Private,
}

impl MatchRow {
    /// Returns the row of an open private match of two seats without players, for struct updates.
    pub fn new(match_id: MatchId) -> MatchRow {
        MatchRow {
            match_id,
            registered: Registered::default(),
            game: String::new(),
            status: MatchStatus::Open,
            visibility: Visibility::Private,
            create_time: RecordTime::default(),
            start_time: None,
            end_time: None,
            seats: vec![None, None],
            outcome: None,
            ranks: Vec::new(),
            reason: None,
            parent: None,
        }
    }
}

impl Registered {
    /// Returns what every creating call gives. All other fields are absent.
    pub fn new(owner: String, create_request_hash: Option<[u8; 32]>) -> Registered {
        Registered { owner, create_request_hash, ..Registered::default() }
    }

    /// Returns what no other match may have.
    pub(crate) fn create_keys(&self) -> impl Iterator<Item = CreateKey> {
        let owner = || self.owner.clone();
        let request = self.create_request_hash.map(|hash| CreateKey::Request(owner(), hash));
        let external = self.external_id.clone().map(|id| CreateKey::ExternalId(owner(), id));
        request.into_iter().chain(external)
    }
}

impl MatchStatus {
    /// Returns the word that databases store.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            MatchStatus::Open => "open",
            MatchStatus::Running => "running",
            MatchStatus::Over => "over",
        }
    }

    /// Parses the word that databases store.
    pub(crate) fn from_word(word: &str) -> Option<MatchStatus> {
        [MatchStatus::Open, MatchStatus::Running, MatchStatus::Over].into_iter().find(|s| s.as_str() == word)
    }
}

impl MatchOutcome {
    /// Returns the word that databases store.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            MatchOutcome::Win => "win",
            MatchOutcome::Draw => "draw",
            MatchOutcome::None => "none",
        }
    }

    /// Parses the word that databases store.
    pub(crate) fn from_word(word: &str) -> Option<MatchOutcome> {
        [MatchOutcome::Win, MatchOutcome::Draw, MatchOutcome::None].into_iter().find(|o| o.as_str() == word)
    }
}

impl Visibility {
    /// All of them.
    pub(crate) const ALL: [Visibility; 3] = [Visibility::Public, Visibility::Unlisted, Visibility::Private];

    /// Returns the word that databases store.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Visibility::Public => "public",
            Visibility::Unlisted => "unlisted",
            Visibility::Private => "private",
        }
    }

    /// Parses the word that databases store.
    pub(crate) fn from_word(word: &str) -> Option<Visibility> {
        Visibility::ALL.into_iter().find(|v| v.as_str() == word)
    }
}

// Without the token's hash, which does not belong in a log line.
impl fmt::Debug for SeatRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SeatRow")
            .field("generation", &self.generation)
            .field("player", &self.player)
            .finish_non_exhaustive()
    }
}

// Without name and id, which do not belong in a log line either: a log outlives an erasure.
impl fmt::Debug for PlayerRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlayerRow").finish_non_exhaustive()
    }
}
