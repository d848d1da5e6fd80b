//! Angels and Demons as a subject of the laws.

use rules::games::angels_and_demons::{AngelsAndDemons, Fact, Move, Options, Space, View};
use rules::{Dice, Game, Sides, Viewer};

use crate::subject::{Outcome, Subject};
use crate::walk::Walk;

pub(crate) struct UnderTest;

impl Subject for UnderTest {
    type Game = AngelsAndDemons;

    /// Five numbers and a byte per space of the largest board.
    const LARGEST_CANONICAL: usize = 5 * 4 + 26 * 26;

    fn options() -> Vec<Options> {
        let sizes = [(8, 8, 20), (3, 3, 30), (3, 5, 1), (4, 26, 6), (26, 26, 2)];
        sizes.map(|(rows, cols, turns)| Options { rows, cols, turns }).to_vec()
    }

    fn longest(options: &Options) -> usize {
        2 * options.turns as usize
    }

    fn probes(options: &Options, dice: &mut Dice) -> Vec<Move> {
        let Options { rows, cols, .. } = *options;
        let edges =
            [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2), (rows, cols), (rows, cols + 2), (rows + 1, cols + 1)];
        let far = [(u32::MAX, u32::MAX), (u32::MAX, 1), (1, u32::MAX), (1 << 31, 1 << 31)];
        let near = [(); 8].map(|()| (dice.below(rows + 2), dice.below(cols + 2)));
        edges.into_iter().chain(far).chain(near).map(|(row, col)| Move::Choose(Space { row, col })).collect()
    }

    /// Replaces the sealed choice by another, for every viewer but its seat.
    fn twin(walk: &Walk<Self>, viewer: Viewer, dice: &mut Dice) -> Option<Outcome<AngelsAndDemons>> {
        let &(mover, _) = walk.history.last()?;
        let is_sealed = AngelsAndDemons::to_act(&walk.now.state) == Sides::only(mover.other());
        if !is_sealed || viewer == Viewer::Seat(mover) {
            return None;
        }
        let before = walk.before.as_ref()?;
        let other = AngelsAndDemons::sample(before, mover, dice)?;
        Some(Outcome::of(before, mover, &other))
    }

    fn follow(view: &mut View, own: Option<&Move>, facts: &[Fact]) {
        view.own_choice = own.map(|&Move::Choose(space)| space).or(view.own_choice);
        for fact in facts {
            match *fact {
                Fact::Chosen { seat } => view.chosen.insert(seat),
                Fact::Revealed { seat, .. } => view.chosen.remove(seat),
                Fact::Changed { space, from, to } => {
                    let index = (space.row - 1) * view.cols + space.col - 1;
                    assert_eq!(std::mem::replace(&mut view.covers[index as usize], to), from);
                }
                Fact::TurnResolved { turn, counts } => {
                    assert_eq!(turn, view.turn);
                    view.turn = (turn + 1).min(view.turns);
                    view.counts = counts;
                    view.own_choice = None;
                }
            }
        }
    }
}
