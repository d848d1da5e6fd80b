//! The whole truth of a position, all of it public (CC-7), and its bytes for the digest.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::field::poem::PoemChange;
use super::field::square::{Kingdom, Square, SquareSet};
use super::field::umbration::Umbration;
use super::field::{Field, Status};
use super::options::Options;
use crate::{BySide, Side};

/// The rules version of new matches. When a later version changes a paragraph, the code asks the state for
/// its version.
pub(super) const RULES_VERSION: u32 = 1;

/// A position of Cresnovian Chess.
#[derive(Clone)]
pub struct State {
    pub(super) rules_version: u32,
    pub(super) max_turns: u32,
    pub(super) stage: Stage,
}

/// The stage of a match.
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
    pub(super) kingdoms: BySide<Kingdom>,
    /// Shared with the next position, which keeps it for a rewind.
    pub(super) field: Arc<Field>,
    /// The Q in each seat's kingdom (CC-70). It follows from the field and is cached because it is read many
    /// times per turn.
    totals: BySide<u32>,
    pub(super) turns_taken: u32,
    /// The previous turn; `None` in the first turn.
    pub(super) last: Option<LastTurn>,
    /// The turn that was just undone and must not be repeated now (CC-46).
    pub(super) forbidden: Option<Deed>,
}

/// What a lock and a rewind need of the previous turn.
#[derive(Clone)]
pub(super) struct LastTurn {
    pub(super) deed: Deed,
    /// The field before the turn.
    pub(super) field: Arc<Field>,
    /// The turn's changes of the poem: at most two.
    pub(super) poem_changes: Vec<Arc<PoemChange>>,
}

/// The kind of a turn, as far as it matters to the next one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Deed {
    /// The piece traveled.
    Travel(Umbration),
    /// The piece performed; Caprice in a Dance.
    Perform(Umbration),
    /// The seat documented.
    Document,
    /// The seat passed.
    Pass,
}

impl State {
    /// Returns the empty field before the placement.
    pub(super) const fn opening(options: Options, rules_version: u32) -> Self {
        Self { rules_version, max_turns: options.max_turns, stage: Stage::Placing }
    }

    /// Returns the bytes for the position's digest. They include the field before the last turn, because a
    /// rewind restores it. Each poem is represented by its running hash, so their number does not grow with
    /// the match. The last turn's changes of the poem follow from the two hashes.
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
    /// Returns the position before the first turn.
    pub(super) fn started(kingdoms: BySide<Kingdom>, field: Arc<Field>) -> Self {
        let totals = totals(kingdoms, &field);
        Self { kingdoms, field, totals, turns_taken: 0, last: None, forbidden: None }
    }

    /// Returns the position after a turn that left this field.
    pub(super) fn after_turn(
        &self,
        deed: Deed,
        field: Field,
        poem_changes: Vec<Arc<PoemChange>>,
        forbidden: Option<Deed>,
    ) -> Self {
        Self {
            kingdoms: self.kingdoms,
            totals: totals(self.kingdoms, &field),
            field: Arc::new(field),
            turns_taken: self.turns_taken + 1,
            last: Some(LastTurn { deed, field: Arc::clone(&self.field), poem_changes }),
            forbidden,
        }
    }

    /// Returns the seat whose turn it is; Player Two takes the first (CC-13).
    pub(super) const fn seat(&self) -> Side {
        if self.turns_taken.is_multiple_of(2) { Side::One } else { Side::Zero }
    }

    pub(super) fn squares_of(&self, seat: Side) -> SquareSet {
        self.kingdoms[seat].squares()
    }

    /// Returns the Q in each seat's kingdom (CC-70).
    pub(super) const fn totals(&self) -> BySide<u32> {
        self.totals
    }

    /// Returns the piece that may not travel now because it traveled in the previous turn (CC-21).
    pub(super) fn locked(&self) -> Option<Umbration> {
        match self.last.as_ref()?.deed {
            Deed::Travel(piece) => Some(piece),
            Deed::Perform(_) | Deed::Document | Deed::Pass => None,
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(match self.kingdoms[Side::Zero] {
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

fn totals(kingdoms: BySide<Kingdom>, field: &Field) -> BySide<u32> {
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
    // A byte that is no square ends the list: 255.
    for (square, umbration) in field.monuments() {
        bytes.extend([place(square), ordinal(umbration)]);
    }
    bytes.push(u8::MAX);
    match field.word() {
        None => bytes.push(u8::MAX),
        Some((square, word)) => {
            let (length, text) = word.encoded();
            bytes.extend([place(*square), length]);
            bytes.extend(text);
        }
    }
    bytes.extend(field.poem.hash());
}

const fn ordinal(piece: Umbration) -> u8 {
    piece as u8
}

fn place(square: Square) -> u8 {
    u8::try_from(square.index()).expect("there are 27 squares")
}
