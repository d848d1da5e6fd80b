//! What a model passes to the tools. The descriptions are part of the tools' schemas, which the model reads.

use schemars::JsonSchema;
use serde::Deserialize;

/// A game.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct OfGame {
    /// The game's id, as list_games returns it, such as ludus-magus
    pub(super) game: String,
}

/// An optional game.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct OpenMatches {
    /// Only matches of this game; default: all games
    pub(super) game: Option<String>,
}

/// Whom to play against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Opponent {
    /// A bot, played by this program
    Bot,
    /// A player to whom you give the match's id
    Friend,
    /// The first player to join: the match is listed as open
    Anyone,
}

/// A new match.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct NewMatch {
    /// The game's id, as list_games returns it
    pub(super) game: String,
    /// Whom to play against
    pub(super) against: Opponent,
    /// The seat to play: 0, 1, or its title in the game; default: 0
    pub(super) seat: Option<String>,
    /// Your name, visible to everybody, 1 to 40 characters
    pub(super) name: String,
    /// Options of the game by name, as list_games returns them; default: the game's defaults
    #[serde(default)]
    pub(super) options: serde_json::Map<String, serde_json::Value>,
}

/// A seat to claim.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Join {
    /// The match's id
    pub(super) match_id: String,
    /// The seat: 0, 1, or its title in the game; default: the first free one
    pub(super) seat: Option<String>,
    /// Your name, visible to everybody, 1 to 40 characters
    pub(super) name: String,
}

/// A match that you play.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct OfMatch {
    /// The match's id
    pub(super) match_id: String,
}

/// A page of legal moves.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct LegalMoves {
    /// The match's id
    pub(super) match_id: String,
    /// Maximum number of moves to list, 1 to 10000; default: 200
    pub(super) limit: Option<u32>,
}

/// A move that is being built.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Choose {
    /// The match's id
    pub(super) match_id: String,
    /// The answers so far, each a value of the question before; empty for the first question
    #[serde(default)]
    pub(super) answers: Vec<String>,
}

/// A move.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct MakeMove {
    /// The match's id
    pub(super) match_id: String,
    /// The move in the game's notation, as legal_moves or choose returns it
    pub(super) notation: String,
}

/// How long to wait.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Wait {
    /// The match's id
    pub(super) match_id: String,
    /// How long to wait at most, in seconds, 1 to 300; default: 60
    pub(super) seconds: Option<u32>,
}

/// What can be proposed to the other seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// To end the match as a draw
    Draw,
    /// To take back your last move
    Takeback,
}

/// A proposal to make.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Propose {
    /// The match's id
    pub(super) match_id: String,
    /// What you propose
    pub(super) kind: Kind,
}

/// An answer to the other seat's proposal.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct AnswerProposal {
    /// The match's id
    pub(super) match_id: String,
    /// Whether you accept what the other seat proposes
    pub(super) accept: bool,
}
