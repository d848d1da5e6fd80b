//! What a viewer may see of a position: everything but the other seat's choice of the turn under way (AD-5, AD-9).

use alloc::vec::Vec;

use super::moves::Space;
use super::state::{Cover, State};
use crate::{BySeat, Seats, Viewer};

/// A position as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// Rows of the board.
    pub rows: u32,
    /// Columns of the board.
    pub cols: u32,
    /// The turn being played, from 1; after the last it stays there.
    pub turn: u32,
    /// How many turns the match has.
    pub turns: u32,
    /// The board row by row from row 1, each row from column 1.
    pub covers: Vec<Cover>,
    /// The spaces that each seat covers.
    pub counts: BySeat<u32>,
    /// The seats that have chosen in the turn under way.
    pub chosen: Seats,
    /// The viewer's own choice in the turn under way. The open view has none: a choice whose turn never resolves is
    /// shown to nobody else for ever.
    pub own_choice: Option<Space>,
}

pub(super) fn view(state: &State, viewer: Viewer) -> View {
    let mut chosen = Seats::NONE;
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
