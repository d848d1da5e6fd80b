//! What a viewer may see of a position: everything (CC-7).

use alloc::vec::Vec;

use super::field::poem::{Poem, Word};
use super::field::square::{Kingdom, Square};
use super::field::umbration::Umbration;
use super::field::{Field, Piece};
use super::state::{Deed, Stage, State};
use crate::{BySide, Side};

/// A position as every viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The stage of the match.
    pub phase: Phase,
    /// Each seat's kingdom, once they are chosen.
    pub kingdoms: Option<BySide<Kingdom>>,
    /// The field and the poem.
    pub field: FieldView,
    /// Turns taken by both seats.
    pub turns_taken: u32,
    /// Number of turns after which the match is a draw.
    pub max_turns: u32,
    /// The Q in each seat's kingdom, once kingdoms are chosen.
    pub totals: Option<BySide<u32>>,
    /// The piece that may not travel in this turn (CC-21).
    pub locked: Option<Umbration>,
    /// What is forbidden in this turn because it was rewound (CC-46).
    pub forbidden: Option<Deed>,
    /// What a rewind would undo now, if a turn was taken (CC-46).
    pub undo: Option<Undo>,
}

/// What the seat to act has to do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Player One places the pieces.
    Placing,
    /// Player Two chooses a kingdom.
    Choosing,
    /// Seats take turns.
    Playing,
}

/// The field and the poem.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FieldView {
    /// The nine pieces in the order of [`Umbration::ALL`]; empty before the placement.
    pub pieces: Vec<Piece>,
    /// The monuments in square order.
    pub monuments: Vec<(Square, Umbration)>,
    /// The word on the field, if there is one.
    pub word: Option<(Square, Word)>,
    /// The communal poem.
    pub poem: Poem,
}

/// What a rewind would undo and restore.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undo {
    /// The kind of the previous turn.
    pub deed: Deed,
    /// The field and the poem before that turn.
    pub field: FieldView,
}

pub(super) fn view(state: &State) -> View {
    let mut view = View {
        phase: Phase::Placing,
        kingdoms: None,
        field: FieldView::default(),
        turns_taken: 0,
        max_turns: state.max_turns,
        totals: None,
        locked: None,
        forbidden: None,
        undo: None,
    };
    match &state.stage {
        Stage::Placing => {}
        Stage::Choosing(field) => {
            view.phase = Phase::Choosing;
            view.field = field_view(field);
        }
        Stage::Playing(playing) => {
            view.phase = Phase::Playing;
            view.kingdoms = Some(BySide::new(playing.kingdoms[Side::Zero], playing.kingdoms[Side::One]));
            view.field = field_view(&playing.field);
            view.turns_taken = playing.turns_taken;
            view.totals = Some(playing.totals());
            view.locked = playing.locked();
            view.forbidden = playing.forbidden;
            view.undo =
                playing.last.as_ref().map(|last| Undo { deed: last.deed, field: field_view(&last.field) });
        }
    }
    view
}

fn field_view(field: &Field) -> FieldView {
    FieldView {
        pieces: field.pieces().to_vec(),
        monuments: field.monuments().collect(),
        word: field.word().cloned(),
        poem: field.poem.clone(),
    }
}
