//! Moves as requests send them.

use rules::{GameId, Move};
use wire::v1 as proto;

use super::limits;
use crate::{Refusal, preconditions};

/// A move in one of the two forms that a request may send.
pub(crate) enum MoveInput {
    Typed(proto::Move),
    Notation(String),
}

impl MoveInput {
    /// Reads the input of `SubmitMove`.
    pub(crate) fn of_submit(input: Option<proto::submit_move_request::Input>) -> Result<Self, Refusal> {
        use proto::submit_move_request::Input;
        match input {
            Some(Input::Move(typed)) => Ok(Self::Typed(typed)),
            Some(Input::Notation(text)) => Self::notation(text),
            None => Err(missing()),
        }
    }

    /// Reads the input of `CheckMove`.
    pub(crate) fn of_check(input: Option<proto::check_move_request::Input>) -> Result<Self, Refusal> {
        use proto::check_move_request::Input;
        match input {
            Some(Input::Move(typed)) => Ok(Self::Typed(typed)),
            Some(Input::Notation(text)) => Self::notation(text),
            None => Err(missing()),
        }
    }

    fn notation(text: String) -> Result<Self, Refusal> {
        if text.chars().count() > limits::TEXT_CHARS {
            let description = format!("must have at most {} characters", limits::TEXT_CHARS);
            return Err(Refusal::field("notation", description));
        }
        Ok(Self::Notation(text))
    }

    /// Returns the move of the match's game that the request means.
    pub(crate) fn read(&self, game: GameId) -> Result<Move, Refusal> {
        match self {
            Self::Typed(typed) => replay::move_from_wire(typed)
                .map_err(|_| Refusal::field("move", "must have the move of exactly one game set")),
            Self::Notation(text) => {
                game.parse_move(text).map_err(|unreadable| preconditions::illegal(&unreadable.into()))
            }
        }
    }
}

fn missing() -> Refusal {
    Refusal::field("move", "must be set, unless `notation` has the move in text")
}
