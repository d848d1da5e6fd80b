//! The moves that a seat makes: in the game's notation, or from a list of one position.

use wire::v1::submit_move_request::Input;
use wire::v1::{LegalMove, ListLegalMovesResponse, Move, SuggestMoveResponse};

/// A legal move of one position, as [`SeatClient::legal_moves`](crate::SeatClient::legal_moves),
/// [`suggest`](crate::SeatClient::suggest) and [`build`](crate::SeatClient::build) return it.
#[derive(Debug, Clone, PartialEq)]
pub struct ChosenMove {
    /// The move in the game's notation.
    pub notation: String,
    /// The move as a message.
    pub content: Move,
    /// Seq of the position.
    pub seq: u32,
}

/// The legal moves of a seat at one position, in the game's fixed order.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedMoves {
    /// The moves.
    pub moves: Vec<ChosenMove>,
    /// Seq of the position.
    pub seq: u32,
    /// Whether the limit of the list left out moves that could be listed.
    pub is_cut: bool,
    /// Families of moves that are too large to list.
    /// [`SeatClient::suggest`](crate::SeatClient::suggest) and [`build`](crate::SeatClient::build) have them
    /// too.
    pub unlisted_families: Vec<String>,
}

/// A move to make. Texts and [`ChosenMove`]s convert into it.
#[derive(Debug, Clone, PartialEq)]
pub enum Playable {
    /// A text in the game's notation, made at the newest position.
    Notation(String),
    /// A move of one position. If the match has gone on, it is refused as `STALE_POSITION`.
    Chosen(ChosenMove),
}

impl ChosenMove {
    pub(crate) fn new(notation: String, content: Option<Move>, seq: u32) -> Self {
        Self { notation, content: content.unwrap_or_default(), seq }
    }
}

impl ListedMoves {
    /// Returns the moves in the game's notation.
    pub fn notations(&self) -> impl Iterator<Item = &str> {
        self.moves.iter().map(|chosen| chosen.notation.as_str())
    }

    /// Returns whether every legal move is listed.
    pub fn is_complete(&self) -> bool {
        !self.is_cut && self.unlisted_families.is_empty()
    }

    /// Returns the move with this notation, if it is listed.
    pub fn find(&self, notation: &str) -> Option<&ChosenMove> {
        self.moves.iter().find(|chosen| chosen.notation == notation)
    }
}

impl From<ListLegalMovesResponse> for ListedMoves {
    fn from(response: ListLegalMovesResponse) -> Self {
        let ListLegalMovesResponse { moves, seq, next_page_token, unlisted_families, .. } = response;
        let chosen = |LegalMove { notation, r#move, .. }| ChosenMove::new(notation, r#move, seq);
        let moves = moves.into_iter().map(chosen).collect();
        Self { moves, seq, is_cut: !next_page_token.is_empty(), unlisted_families }
    }
}

impl From<SuggestMoveResponse> for ChosenMove {
    fn from(response: SuggestMoveResponse) -> Self {
        Self::new(response.notation, response.r#move, response.seq)
    }
}

impl Playable {
    /// Returns the move as a field of a request, and the seq of its position if it has one.
    pub(crate) fn into_input(self) -> (Input, Option<u32>) {
        match self {
            Self::Notation(notation) => (Input::Notation(notation), None),
            Self::Chosen(chosen) => (Input::Move(chosen.content), Some(chosen.seq)),
        }
    }
}

impl From<&str> for Playable {
    fn from(notation: &str) -> Self {
        Self::Notation(notation.to_owned())
    }
}

impl From<String> for Playable {
    fn from(notation: String) -> Self {
        Self::Notation(notation)
    }
}

impl From<ChosenMove> for Playable {
    fn from(chosen: ChosenMove) -> Self {
        Self::Chosen(chosen)
    }
}

impl From<&ChosenMove> for Playable {
    fn from(chosen: &ChosenMove) -> Self {
        Self::Chosen(chosen.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_move_is_for_its_position_and_a_notation_for_the_newest() {
        let legal = LegalMove { notation: "a1-a2".to_owned(), ..LegalMove::default() };
        let response = ListLegalMovesResponse { moves: vec![legal], seq: 7, ..Default::default() };
        let listed = ListedMoves::from(response);
        assert_eq!(listed.notations().collect::<Vec<_>>(), ["a1-a2"]);
        let chosen = listed.find("a1-a2").unwrap();
        assert_eq!(Playable::from(chosen).into_input(), (Input::Move(Move::default()), Some(7)));
        assert_eq!(Playable::from("a1-a2").into_input(), (Input::Notation("a1-a2".to_owned()), None));
        assert_eq!(listed.find("a1-a3"), None);
        assert!(listed.is_complete());
        assert!(!ListedMoves { is_cut: true, ..listed }.is_complete());
    }
}
