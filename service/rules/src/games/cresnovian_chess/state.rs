//! The whole truth of a position, all of it public (CC-7), and its bytes for the digest.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::field::poem::Word;
use super::field::square::{Kingdom, Square, SquareSet};
use super::field::umbration::Umbration;
use super::field::{Field, Status};
use super::options::Options;
use crate::{BySeat, Seat};

/// The rules that a new match is played by. A later version that changes a paragraph asks the state's own.
pub(super) const RULES_VERSION: u32 = 1;

/// A position of Cresnovian Chess.
#[derive(Clone)]
pub struct State {
    pub(super) rules_version: u32,
    pub(super) max_turns: u32,
    pub(super) stage: Stage,
}

/// How far the match has come.
#[derive(Clone)]
pub(super) enum Stage {
    /// Player One places the pieces (CC-10).
    Placing,
    /// Player Two chooses a kingdom (CC-11).
    Choosing(Arc<Field>),
    /// Seats take turns (CC-13).
    Playing(Playing),
}

/// A position from the first turn on.
#[derive(Clone)]
pub(super) struct Playing {
    pub(super) kingdoms: BySeat<Kingdom>,
    /// Shared with the position after it, which keeps it for a rewind.
    pub(super) field: Arc<Field>,
    /// The Q in each seat's kingdom (CC-70), which follows from the field and is asked for many times a turn.
    totals: BySeat<u32>,
    pub(super) turns_taken: u32,
    /// The turn just before; none at the first turn.
    pub(super) last: Option<LastTurn>,
    /// The turn that was undone just before: it may not be done again now (CC-46).
    pub(super) forbidden: Option<Deed>,
}

/// What a lock and a rewind need of the turn just before.
#[derive(Clone)]
pub(super) struct LastTurn {
    pub(super) deed: Deed,
    /// The field before it.
    pub(super) field: Arc<Field>,
}

/// What kind of turn was taken, as far as it matters to the next one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Deed {
    /// The piece traveled.
    Travel(Umbration),
    /// The piece performed, Caprice if it was a Dance.
    Perform(Umbration),
    /// Words were written.
    Document,
    /// Nothing was done.
    Pass,
}

impl State {
    /// The empty field before the placement.
    pub(super) const fn opening(options: Options) -> Self {
        Self { rules_version: RULES_VERSION, max_turns: options.max_turns, stage: Stage::Placing }
    }

    /// The bytes of the position's digest. The field before the last turn is part of it: a rewind restores it.
    pub(super) fn canonical(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(256);
        for number in [self.rules_version, self.max_turns] {
            bytes.extend(number.to_be_bytes());
        }
        match &self.stage {
            Stage::Placing => bytes.push(0),
            Stage::Choosing(field) => {
                bytes.push(1);
                write_field(&mut bytes, field);
            }
            Stage::Playing(playing) => {
                bytes.push(2);
                playing.write(&mut bytes);
            }
        }
        bytes
    }
}

impl Playing {
    /// The position before the first turn.
    pub(super) fn started(kingdoms: BySeat<Kingdom>, field: Arc<Field>) -> Self {
        let totals = totals(kingdoms, &field);
        Self { kingdoms, field, totals, turns_taken: 0, last: None, forbidden: None }
    }

    /// The position after a turn that left the field so.
    pub(super) fn after_turn(&self, deed: Deed, field: Field, forbidden: Option<Deed>) -> Self {
        Self {
            kingdoms: self.kingdoms,
            totals: totals(self.kingdoms, &field),
            field: Arc::new(field),
            turns_taken: self.turns_taken + 1,
            last: Some(LastTurn { deed, field: Arc::clone(&self.field) }),
            forbidden,
        }
    }

    /// The seat whose turn it is: Player Two takes the first (CC-13).
    pub(super) const fn seat(&self) -> Seat {
        if self.turns_taken.is_multiple_of(2) { Seat::One } else { Seat::Zero }
    }

    pub(super) fn squares_of(&self, seat: Seat) -> SquareSet {
        self.kingdoms[seat].squares()
    }

    /// The Q in each seat's kingdom (CC-70).
    pub(super) const fn totals(&self) -> BySeat<u32> {
        self.totals
    }

    /// The piece that may not travel now, since it traveled in the turn just before (CC-21).
    pub(super) fn locked(&self) -> Option<Umbration> {
        match self.last.as_ref()?.deed {
            Deed::Travel(piece) => Some(piece),
            Deed::Perform(_) | Deed::Document | Deed::Pass => None,
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(match self.kingdoms[Seat::Zero] {
            Kingdom::Left => 0,
            Kingdom::Right => 1,
        });
        bytes.extend(self.turns_taken.to_be_bytes());
        write_deed(bytes, self.forbidden);
        write_field(bytes, &self.field);
        write_deed(bytes, self.last.as_ref().map(|last| last.deed));
        if let Some(last) = &self.last {
            write_field(bytes, &last.field);
        }
    }
}

fn totals(kingdoms: BySeat<Kingdom>, field: &Field) -> BySeat<u32> {
    kingdoms.map(|kingdom| field.total(kingdom.squares()))
}

fn write_deed(bytes: &mut Vec<u8>, deed: Option<Deed>) {
    match deed {
        None => bytes.push(0),
        Some(Deed::Travel(piece)) => bytes.extend([1, ordinal(piece)]),
        Some(Deed::Perform(piece)) => bytes.extend([2, ordinal(piece)]),
        Some(Deed::Document) => bytes.push(3),
        Some(Deed::Pass) => bytes.push(4),
    }
}

fn write_field(bytes: &mut Vec<u8>, field: &Field) {
    for piece in field.pieces() {
        bytes.extend([place(piece.square), place(piece.home)]);
        bytes.extend(piece.condition.q.to_be_bytes());
        bytes.push(match piece.condition.status {
            Status::Whole => 0,
            Status::Broken => 1,
            Status::Eternal => 2,
        });
    }
    // A square of its own ends the list: none is 255.
    for (square, umbration) in field.monuments() {
        bytes.extend([place(square), ordinal(umbration)]);
    }
    bytes.push(u8::MAX);
    match field.word() {
        None => bytes.push(u8::MAX),
        Some((square, word)) => {
            bytes.push(place(*square));
            write_word(bytes, word);
        }
    }
    let words = u32::try_from(field.poem.len()).expect("a match has at most 18 000 words (CC-71)");
    bytes.extend(words.to_be_bytes());
    for word in field.poem.iter() {
        write_word(bytes, word);
    }
}

fn write_word(bytes: &mut Vec<u8>, word: &Word) {
    let text = word.as_str().as_bytes();
    // A word has at most 32 scalar values of 4 bytes (CC-60), so its length fits a byte.
    bytes.push(u8::try_from(text.len()).expect("a word is at most 128 bytes long"));
    bytes.extend(text);
}

const fn ordinal(piece: Umbration) -> u8 {
    piece as u8
}

fn place(square: Square) -> u8 {
    u8::try_from(square.index()).expect("there are 27 squares")
}
