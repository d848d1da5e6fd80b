//! All moves of the seat to act: counted, listed, or one of them picked. Only what is listed or picked is made out of the
//! sets that `reach` and `arts` find.

use alloc::vec::Vec;

use super::arts::Arts;
use super::effects::Effects;
use super::moves::Move;
use super::place::Plane;
use super::position::Position;
use super::reach::Reach;
use super::ways::around;

/// Looks at what the seat to act can do on the cells, on the points, and by the arts of its Magus. None once that is
/// captured. (Handed on by reference: these sets are too large to be moved about for each position.)
#[inline(always)]
fn survey<T>(position: &Position, look: impl FnOnce(&Reach, &Reach, &Arts) -> T) -> Option<T> {
    let magus = position.magus(position.to_act)?;
    let effects = Effects::of(&position.board);
    let corporeal = Reach::of(position, &effects, magus, Plane::Corporeal);
    let astral = Reach::of(position, &effects, magus, Plane::Astral);
    Some(look(&corporeal, &astral, &Arts::of(position, magus)))
}

/// How many moves the seat to act has.
pub(super) fn count(position: &Position) -> u32 {
    survey(position, |corporeal, astral, arts| corporeal.count() + astral.count() + arts.count()).unwrap_or(0)
}

/// Whether the seat to act has a move.
pub(super) fn has_move(position: &Position) -> bool {
    // Nearly always something can step aside.
    let steps = |plane| {
        let field = position.board.field(plane);
        around(field.elements(position.to_act)) & position.board.vacant(plane) != 0
    };
    Plane::ALL.into_iter().any(steps) || count(position) > 0
}

/// Every move of the seat to act, in the order in which they are found.
pub(super) fn moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::with_capacity(64);
    survey(position, |corporeal, astral, arts| {
        corporeal.each(|made| moves.push(made));
        astral.each(|made| moves.push(made));
        moves.extend(arts.moves());
    });
    moves
}

/// One of the moves of the seat to act, if it has any. The choice is between 0 and their number less one, in the order of
/// [`moves`].
pub(super) fn pick(position: &Position, choose: impl FnOnce(u32) -> u32) -> Option<Move> {
    survey(position, |corporeal, astral, arts| {
        let (cells, points) = (corporeal.count(), astral.count());
        let count = cells + points + arts.count();
        if count == 0 {
            return None;
        }
        let chosen = choose(count);
        if chosen < cells {
            corporeal.nth(chosen)
        } else if chosen < cells + points {
            astral.nth(chosen - cells)
        } else {
            arts.moves().get((chosen - cells - points) as usize).copied()
        }
    })?
}
