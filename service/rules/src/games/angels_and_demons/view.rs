//! What a viewer may see of a position: everything except the other seat's choice in the current turn (AD-5,
//! AD-9).

use alloc::vec::Vec;

use super::moves::Space;
use super::state::{Cover, State};
use crate::{BySide, Sides, Viewer};

/// A position as a viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// Number of rows.
    pub rows: u32,
    /// Number of columns.
    pub cols: u32,
    /// The current turn, from 1; after the last turn it keeps its number.
    pub turn: u32,
    /// Number of turns in the match.
    pub turns: u32,
    /// The board row by row from row 1, each row from column 1.
    pub covers: Vec<Cover>,
    /// The number of spaces that each seat covers.
    pub counts: BySide<u32>,
    /// The seats that have chosen in the current turn.
    pub chosen: Sides,
    /// The viewer's own choice in the current turn. The open view has none: a choice whose turn never
    /// resolves is never shown to anyone else.
    pub own_choice: Option<Space>,
}

pub(super) fn view(state: &State, viewer: Viewer) -> View {
    let mut chosen = Sides::NONE;
    for (seat, _) in state.sealed.0.iter().filter(|(_, choice)| choice.is_some()) {
        chosen.insert(seat);
    }
    let own_choice = match viewer {
        Viewer::Seat(seat) => state.sealed.0[seat],
        Viewer::Spectator | Viewer::Open => None,
    };
    View {
        rows: state.options.rows,
        cols: state.options.cols,
        turn: (state.turns_taken + 1).min(state.options.turns),
        turns: state.options.turns,
        covers: state.covers().collect(),
        counts: state.counts(),
        chosen,
        own_choice,
    }
}
