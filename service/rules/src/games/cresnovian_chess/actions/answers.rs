//! Building a move by questions, written once for both sources of answers: a client's path and dice.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::games::cresnovian_chess::field::poem::Word;
use crate::games::cresnovian_chess::field::square::{Square, SquareSet};
use crate::games::cresnovian_chess::field::umbration::{PieceSet, Umbration};
use crate::{Choice, ValueType};

/// A source of answers.
pub(crate) trait Answers {
    /// Why there is no answer.
    type Stop;

    /// Picks one of the offered values, of which there is at least one.
    fn pick<T, I>(&mut self, prompt: &str, offered: I, choice: impl Fn(T) -> Choice) -> Result<T, Self::Stop>
    where
        T: Copy,
        I: Iterator<Item = T> + Clone;

    /// Picks a number from `min` to `max`, both included.
    fn number(&mut self, prompt: &str, min: u32, max: u32) -> Result<u32, Self::Stop>;

    /// Picks a legal word (CC-60).
    fn word(&mut self, prompt: &str) -> Result<Word, Self::Stop>;

    fn piece(&mut self, prompt: &str, offered: PieceSet) -> Result<Umbration, Self::Stop> {
        self.pick(prompt, offered.iter(), piece_choice)
    }

    fn square(&mut self, prompt: &str, offered: SquareSet) -> Result<Square, Self::Stop> {
        self.pick(prompt, offered.iter(), square_choice)
    }

    /// Picks a non-empty subset. Members are asked for in order, so that each set has one path.
    fn some_of<T, I>(
        &mut self,
        prompt: &str,
        members: I,
        choice: impl Fn(T) -> Choice,
    ) -> Result<Vec<T>, Self::Stop>
    where
        T: Copy + Ord,
        I: Iterator<Item = T> + Clone,
    {
        let mut chosen: Vec<T> = Vec::new();
        loop {
            let last = chosen.last().copied();
            let rest = members.clone().filter(|&member| last.is_none_or(|last| member > last));
            let enough = last.map(|_| None);
            let choice = |member: Option<T>| member.map_or_else(enough_choice, &choice);
            match self.pick(prompt, rest.map(Some).chain(enough), choice)? {
                Some(member) => chosen.push(member),
                None => return Ok(chosen),
            }
        }
    }
}

pub(crate) fn enough_choice() -> Choice {
    Choice { value: "enough".to_owned(), label: "That is all".to_owned(), value_type: ValueType::Enough }
}

pub(crate) fn piece_choice(piece: Umbration) -> Choice {
    Choice { value: piece.code().to_owned(), label: piece.name().to_owned(), value_type: ValueType::Piece }
}

/// Returns the choice of an umbration for a new monument.
pub(crate) fn umbration_choice(umbration: Umbration) -> Choice {
    Choice { value_type: ValueType::Kind, ..piece_choice(umbration) }
}

pub(crate) fn square_choice(square: Square) -> Choice {
    Choice {
        value: square.to_string(),
        label: format!("row {}, column {}", square.row(), square.col()),
        value_type: ValueType::Square,
    }
}

pub(crate) fn kind_choice(value: &str, label: &str) -> Choice {
    Choice { value: value.to_owned(), label: label.to_owned(), value_type: ValueType::Kind }
}
