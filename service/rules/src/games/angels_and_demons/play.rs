//! A choice is sealed; once both are in, the reveal opens them and resolves the turn (AD-5, AD-6).

use alloc::vec;
use alloc::vec::Vec;

use super::legal;
use super::moves::{Move, Space};
use super::state::{Cover, Sealed, SpaceSet, State};
use crate::{BySide, Illegal, Played, Side};

/// What a choice or a reveal brings about. All facts are public.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// The seat has chosen; nobody learns what.
    Chosen {
        /// The seat that chose.
        seat: Side,
    },
    /// Both seats have chosen and this was the seat's choice. The Angels' comes first, regardless of who
    /// chose first.
    Revealed {
        /// The seat that chose it.
        seat: Side,
        /// The choice.
        space: Space,
    },
    /// A space changed. Changes are ordered by row, then by column.
    Changed {
        /// The space.
        space: Space,
        /// Its cover before the turn.
        from: Cover,
        /// Its cover now, always different.
        to: Cover,
    },
    /// The turn is resolved.
    TurnResolved {
        /// The turn's number, from 1.
        turn: u32,
        /// The number of spaces that each seat covers now.
        counts: BySide<u32>,
    },
}

pub(super) fn play(state: &State, seat: Side, mv: Move) -> Result<Played<State, Fact>, Illegal> {
    legal::check_to_act(state, seat)?;
    legal::check_move(state, mv)?;
    let Move::Choose(space) = mv;
    let mut state = state.clone();
    state.sealed.0[seat] = Some(space);
    Ok(Played { state, facts: vec![Fact::Chosen { seat }] })
}

/// Opens both choices and resolves the turn. `None` unless both are in.
pub(super) fn reveal(state: &State) -> Option<Played<State, Fact>> {
    let choices = BySide::new(state.sealed.0[Side::Zero]?, state.sealed.0[Side::One]?);
    let mut after = state.clone();
    let facts = resolve(state, &mut after, choices);
    Some(Played { state: after, facts })
}

/// Two choices revealed, up to four changes around each, and the turn resolved.
const MAX_FACTS: usize = 2 + 2 * 4 + 1;

/// Applies AD-6 to the whole board at once.
fn resolve(before: &State, after: &mut State, choices: BySide<Space>) -> Vec<Fact> {
    let mut facts = Vec::with_capacity(MAX_FACTS);
    for (seat, &space) in choices.iter() {
        facts.push(Fact::Revealed { seat, space });
    }
    let reached =
        BySide::new(neighbours(before, choices[Side::Zero]), neighbours(before, choices[Side::One]));
    for seat in Side::ALL {
        // A seat loses every space that the other seat reaches: it becomes the other's, or empty if both
        // reach it.
        after.covered[seat] = before.covered[seat].union(&reached[seat]).without(&reached[seat.other()]);
    }
    for index in reached[Side::Zero].union(&reached[Side::One]).iter() {
        facts.extend(changed(before, after, index));
    }
    after.turns_taken += 1;
    after.sealed = Sealed::NONE;
    facts.push(Fact::TurnResolved { turn: after.turns_taken, counts: after.counts() });
    facts
}

fn changed(before: &State, after: &State, index: u32) -> Option<Fact> {
    let cols = after.options.cols;
    let space = Space { row: index / cols + 1, col: index % cols + 1 };
    let (from, to) = (before.cover(index), after.cover(index));
    (from != to).then_some(Fact::Changed { space, from, to })
}

/// Returns the orthogonal neighbours of a space, on the board.
fn neighbours(state: &State, space: Space) -> SpaceSet {
    let (rows, cols) = (state.options.rows, state.options.cols);
    let index = (space.row - 1) * cols + space.col - 1;
    let mut set = SpaceSet::EMPTY;
    if space.row > 1 {
        set.insert(index - cols);
    }
    if space.col > 1 {
        set.insert(index - 1);
    }
    if space.col < cols {
        set.insert(index + 1);
    }
    if space.row < rows {
        set.insert(index + cols);
    }
    set
}
