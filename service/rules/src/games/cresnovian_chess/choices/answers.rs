//! Building a move by questions, written once for whoever answers: a client's path, or dice.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::games::cresnovian_chess::field::poem::Word;
use crate::games::cresnovian_chess::field::square::{Square, SquareSet};
use crate::games::cresnovian_chess::field::umbration::{PieceSet, Umbration};
use crate::{Offer, ValueType};

/// Who answers the questions.
pub(crate) trait Answers {
    /// Why there is no answer.
    type Stop;

    /// One of these; there is at least one.
    fn pick<T, I>(&mut self, prompt: &str, offered: I, offer: impl Fn(T) -> Offer) -> Result<T, Self::Stop>
    where
        T: Copy,
        I: Iterator<Item = T> + Clone;

    /// A number from `min` to `max`, both included.
    fn number(&mut self, prompt: &str, min: u32, max: u32) -> Result<u32, Self::Stop>;

    /// A word that may stand in the poem (CC-60).
    fn word(&mut self, prompt: &str) -> Result<Word, Self::Stop>;

    fn piece(&mut self, prompt: &str, offered: PieceSet) -> Result<Umbration, Self::Stop> {
        self.pick(prompt, offered.iter(), piece_offer)
    }

    fn square(&mut self, prompt: &str, offered: SquareSet) -> Result<Square, Self::Stop> {
        self.pick(prompt, offered.iter(), square_offer)
    }

    /// Some of the members, at least one, asked for in their order, so that each set is built in one way only.
    fn some_of<T, I>(
        &mut self,
        prompt: &str,
        members: I,
        offer: impl Fn(T) -> Offer,
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
            let offer = |member: Option<T>| member.map_or_else(enough_offer, &offer);
            match self.pick(prompt, rest.map(Some).chain(enough), offer)? {
                Some(member) => chosen.push(member),
                None => return Ok(chosen),
            }
        }
    }
}

pub(crate) fn enough_offer() -> Offer {
    Offer { value: "enough".to_owned(), label: "That is all".to_owned(), value_type: ValueType::Enough }
}

pub(crate) fn piece_offer(piece: Umbration) -> Offer {
    Offer { value: piece.code().to_owned(), label: piece.name().to_owned(), value_type: ValueType::Piece }
}

/// An umbration of which a monument is to be built.
pub(crate) fn umbration_offer(umbration: Umbration) -> Offer {
    Offer { value_type: ValueType::Kind, ..piece_offer(umbration) }
}

pub(crate) fn square_offer(square: Square) -> Offer {
    Offer {
        value: square.to_string(),
        label: format!("row {}, column {}", square.row(), square.col()),
        value_type: ValueType::Square,
    }
}

pub(crate) fn kind_offer(value: &str, label: &str) -> Offer {
    Offer { value: value.to_owned(), label: label.to_owned(), value_type: ValueType::Kind }
}
