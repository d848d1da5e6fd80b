//! Building a move by answering one question at a time, for clients that do not know the game.
//!
//! A *path* is the list of answers so far, `&[String]`: the value of a choice, a whole number in decimal (an
//! optional minus sign, no leading zeros), or free text. Every game keeps three promises, and tests enforce
//! them: no dead ends (every choice leads to a move), every legal move has a path, and only one.

use alloc::string::String;
use alloc::vec::Vec;

/// The result of following a path: the next question, or the finished move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step<M> {
    /// More answers are needed.
    Ask(Question),
    /// The move is finished and legal.
    Done(M),
}

impl<M> Step<M> {
    /// Converts the move.
    pub fn map<N>(self, change: impl FnOnce(M) -> N) -> Step<N> {
        match self {
            Self::Ask(question) => Step::Ask(question),
            Self::Done(mv) => Step::Done(change(mv)),
        }
    }
}

/// One question to the player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The question as the player reads it.
    pub prompt: String,
    /// The accepted answers.
    pub kind: QuestionKind,
}

/// The kinds of answer; a client needs one widget for each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QuestionKind {
    /// One of these choices; never empty.
    OneOf(Vec<Choice>),
    /// A whole number in this range, both ends included.
    Integer {
        /// The smallest accepted number.
        min: i64,
        /// The largest accepted number.
        max: i64,
    },
    /// Free text. Any text of this length made of the letters a to z is accepted; the prompt says what else
    /// is.
    Text {
        /// The minimum length in Unicode scalar values.
        min_chars: u32,
        /// The maximum length in Unicode scalar values.
        max_chars: u32,
    },
}

/// One of the answers of a [`QuestionKind::OneOf`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The answer as it appears in a path; unique within its question.
    pub value: String,
    /// The answer as the player reads it.
    pub label: String,
    /// What the value names, so that a client can show it in place.
    pub value_type: ValueType,
}

/// What the value of a [`Choice`] names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ValueType {
    /// A place on the board, in the game's notation.
    Square,
    /// A card.
    Card,
    /// A piece in play.
    Piece,
    /// A kind of move, piece or ability.
    Kind,
    /// A number from a list that is not a range.
    Number,
    /// "That is all": ends a list that could continue.
    Enough,
}
