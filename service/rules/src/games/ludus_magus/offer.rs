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

/// What the seat to act can do.
struct Offer {
    corporeal: Reach,
    astral: Reach,
    arts: Arts,
}

impl Offer {
    /// None once the Magus is captured.
    #[inline(always)]
    fn of(position: &Position) -> Option<Self> {
        let magus = position.magus(position.to_act)?;
        let effects = Effects::of(&position.board);
        Some(Self {
            corporeal: Reach::of(position, &effects, magus, Plane::Corporeal),
            astral: Reach::of(position, &effects, magus, Plane::Astral),
            arts: Arts::of(position, magus),
        })
    }
}

/// How many moves the seat to act has.
pub(super) fn count(position: &Position) -> u32 {
    let Some(Offer { corporeal, astral, arts }) = Offer::of(position) else { return 0 };
    corporeal.count() + astral.count() + arts.count()
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
    let Some(Offer { corporeal, astral, arts }) = Offer::of(position) else { return Vec::new() };
    let mut moves = Vec::with_capacity(64);
    corporeal.each(|made| moves.push(made));
    astral.each(|made| moves.push(made));
    moves.extend(arts.moves());
    moves
}

/// One of the moves of the seat to act, if it has any. The choice is between 0 and their number less one, in the order of
/// [`moves`].
pub(super) fn pick(position: &Position, choose: impl FnOnce(u32) -> u32) -> Option<Move> {
    let Offer { corporeal, astral, arts } = Offer::of(position)?;
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
}
