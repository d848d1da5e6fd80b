//! What a reader asks of the directory, and the page that it gets.

use event::Seat;

use super::labels::Labels;
use super::match_row::{MatchRow, MatchStatus};
use crate::{MatchId, RecordTime};

/// The filter of `Journal::list_matches`. Matches are sorted by creation time, newest first. Labels, external
/// ids, players' ids and `to_act` are found among the matches of the scope's owner; a scope without an owner
/// has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchFilter {
    /// The matches that the caller may see.
    pub scope: Scope,
    /// Only matches of this game.
    pub game: Option<String>,
    /// Only matches with this status.
    pub status: Option<MatchStatus>,
    /// Only matches with a player of this display name.
    pub display_name: Option<String>,
    /// Only matches with a player to whom the owner gave this id.
    pub player_id: Option<String>,
    /// Only matches with all of these labels.
    pub labels: Labels,
    /// Only the match to which the owner gave this id.
    pub external_id: Option<String>,
    /// Only running matches in which a certain seat is to act.
    pub to_act: Option<ToAct>,
    /// Only matches created at this time or later.
    pub created_since: Option<RecordTime>,
    /// Only matches created before this time.
    pub created_before: Option<RecordTime>,
    /// Only matches after this one in the list: `MatchPage::next` of the page before.
    pub before: Option<MatchId>,
    /// Maximum number of matches.
    pub limit: u32,
}

/// The seat that is to act in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToAct {
    /// This seat.
    Seat(Seat),
    /// A seat of the player that the filter names.
    Player,
}

/// A page of the directory. A page that looked at many matches in vain may have few rows or none, and be
/// followed by others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchPage {
    /// The matches, newest first.
    pub rows: Vec<MatchRow>,
    /// The match after which the next page begins; `None` if this is the last page. A match of the scope.
    pub next: Option<MatchId>,
}

/// The matches that a reader may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Public matches.
    Public,
    /// Public matches and all matches of this owner.
    PublicOrOwnedBy(String),
    /// All matches of this owner.
    OwnedBy(String),
    /// All matches.
    Everything,
}

impl MatchFilter {
    /// Returns the filter that all matches of a scope pass, for struct updates.
    #[must_use]
    pub const fn of(scope: Scope, limit: u32) -> MatchFilter {
        MatchFilter {
            scope,
            game: None,
            status: None,
            display_name: None,
            player_id: None,
            labels: Labels::NONE,
            external_id: None,
            to_act: None,
            created_since: None,
            created_before: None,
            before: None,
            limit,
        }
    }

    /// Returns whether only an owner's matches can pass: the filter names what an owner gave.
    pub(crate) fn is_of_owner(&self) -> bool {
        self.player_id.is_some()
            || !self.labels.0.is_empty()
            || self.external_id.is_some()
            || self.to_act.is_some()
    }
}
