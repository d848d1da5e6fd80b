//! Building a move by answering one question at a time, for clients that do not know the game.
//!
//! A *path* is the list of answers so far, `&[String]`: the value of an offer, a whole number in decimal (no sign but a
//! minus, no leading zero), or the text itself. Every game keeps three promises, which its tests hold it to: no dead end
//! (whatever was offered can be finished), every legal move has a path, and only one.

use alloc::string::String;
use alloc::vec::Vec;

/// What follows a path: the next question, or the move that the answers amount to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step<M> {
    /// The move is not decided yet.
    Ask(Question),
    /// The move is finished, and legal.
    Done(M),
}

impl<M> Step<M> {
    /// The same step with the move in another form.
    pub fn map<N>(self, change: impl FnOnce(M) -> N) -> Step<N> {
        match self {
            Self::Ask(question) => Step::Ask(question),
            Self::Done(made) => Step::Done(change(made)),
        }
    }
}

/// One question to the player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// What is asked, to be shown to the player.
    pub prompt: String,
    /// Which answers are accepted.
    pub kind: QuestionKind,
}

/// The three kinds of answer, a widget each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QuestionKind {
    /// One of these offers; there is always at least one.
    OneOf(Vec<Offer>),
    /// A whole number in the range, both ends included.
    Integer {
        /// The least number accepted.
        min: i64,
        /// The greatest number accepted.
        max: i64,
    },
    /// Free text. Of this length, any text made of the letters a to z is accepted; what else is, the prompt says.
    Text {
        /// The least number of Unicode scalar values.
        min_chars: u32,
        /// The greatest number of Unicode scalar values.
        max_chars: u32,
    },
}

/// One answer to choose from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The answer as the path takes it; each value stands once in its question.
    pub value: String,
    /// The answer as a player reads it.
    pub label: String,
    /// What the value names, so that a client can show it in place.
    pub value_type: ValueType,
}

/// What the value of an [`Offer`] names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ValueType {
    /// A place on the board, in the game's notation.
    Square,
    /// A card.
    Card,
    /// A piece that is in play.
    Piece,
    /// A kind: of move, of piece, of ability.
    Kind,
    /// A number from a list that is no range.
    Number,
    /// "That is all": ends a list that could go on.
    Enough,
}
