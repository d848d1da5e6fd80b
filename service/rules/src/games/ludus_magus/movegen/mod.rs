//! Move generation: all moves of the seat to act, counted, listed, or one of them picked. `plane` and `arts`
//! find them as bitboards; a move is built only when it is listed or picked.

mod arts;
pub(super) mod effects;
mod plane;

use alloc::vec::Vec;

use crate::games::ludus_magus::board::offsets::neighbours;
use crate::games::ludus_magus::board::place::Plane;
use crate::games::ludus_magus::movegen::arts::Arts;
use crate::games::ludus_magus::movegen::effects::Effects;
use crate::games::ludus_magus::movegen::plane::PlaneMoves;
use crate::games::ludus_magus::moves::Move;
use crate::games::ludus_magus::position::Position;

/// Calls `read` with what the seat to act can do on the cells, on the points, and by the arts of its Magus.
/// Returns `None` once the Magus is captured. Passes references, because the sets are too large to copy for
/// each position.
#[inline(always)]
fn generate<T>(position: &Position, read: impl FnOnce(&PlaneMoves, &PlaneMoves, &Arts) -> T) -> Option<T> {
    let magus = position.magus(position.to_act)?;
    let effects = Effects::of(&position.board);
    let corporeal = PlaneMoves::of(position, &effects, magus, Plane::Corporeal);
    let astral = PlaneMoves::of(position, &effects, magus, Plane::Astral);
    Some(read(&corporeal, &astral, &Arts::of(position, magus)))
}

/// Returns the number of moves of the seat to act.
pub(crate) fn count(position: &Position) -> u32 {
    generate(position, |corporeal, astral, arts| corporeal.count() + astral.count() + arts.count())
        .unwrap_or(0)
}

/// Returns whether the seat to act has a move.
pub(crate) fn has_move(position: &Position) -> bool {
    // In nearly every position some piece can step to a neighbouring place.
    let steps = |plane| {
        let field = position.board.field(plane);
        neighbours(field.elements(position.to_act)) & position.board.vacant(plane) != 0
    };
    Plane::ALL.into_iter().any(steps) || count(position) > 0
}

/// Returns every move of the seat to act, in generation order.
pub(crate) fn moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::with_capacity(64);
    generate(position, |corporeal, astral, arts| {
        corporeal.each(|mv| moves.push(mv));
        astral.each(|mv| moves.push(mv));
        moves.extend(arts.moves());
    });
    moves
}

/// Picks one of the moves of the seat to act, if it has any. `choose` receives their number and returns an
/// index in the order of [`moves`].
pub(crate) fn pick(position: &Position, choose: impl FnOnce(u32) -> u32) -> Option<Move> {
    generate(position, |corporeal, astral, arts| {
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
