//! Caprice: the abilities that it can dance (CC-54), and Go Berserk (CC-55).

use crate::games::cresnovian_chess::actions::abilities::{Scene, has_basic_use};
use crate::games::cresnovian_chess::actions::answers::Answers;
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::field::square::{Square, SquareSet, WORLD};
use crate::games::cresnovian_chess::field::umbration::{PieceSet, Umbration};
use crate::games::cresnovian_chess::moves::Elite;
use crate::games::cresnovian_chess::violation::{Violation, require};

/// Q that Go Berserk takes from both pieces.
const BERSERK_LOSS: u32 = 9;

/// Returns whether the piece is alive in the World. Caprice itself never is, because it performs in its own
/// kingdom.
pub(crate) fn is_danceable(scene: Scene<'_>, piece: Umbration) -> bool {
    let piece = scene.field().piece(piece);
    piece.condition.q > 0 && WORLD.contains(piece.square)
}

/// Returns the pieces whose basic ability Caprice can use now.
pub(crate) fn dancers(scene: Scene<'_>) -> PieceSet {
    let in_world = Umbration::ALL.into_iter().filter(|&piece| is_danceable(scene, piece));
    in_world.filter(|&piece| has_basic_use(scene, piece)).collect()
}

/// Returns the blank squares adjacent to a piece.
fn blank_neighbours(scene: Scene<'_>, piece: Umbration) -> SquareSet {
    scene.field().piece(piece).square.neighbours().and(scene.field().blanks())
}

/// Returns the other pieces with an adjacent blank square.
pub(crate) fn targets(scene: Scene<'_>) -> PieceSet {
    let others = Umbration::ALL.into_iter().filter(|&piece| piece != scene.performer);
    others.filter(|&piece| !blank_neighbours(scene, piece).is_empty()).collect()
}

pub(crate) fn check_berserk(scene: Scene<'_>, piece: Umbration, square: Square) -> Result<(), Violation> {
    require(piece != scene.performer, "CC-55", "name another piece than the performer")?;
    require(
        blank_neighbours(scene, piece).contains(square),
        "CC-55",
        "the performer goes to a blank square next to that piece",
    )
}

pub(crate) fn list_berserk(scene: Scene<'_>, found: &mut impl FnMut(Elite)) {
    for piece in targets(scene).iter() {
        blank_neighbours(scene, piece).iter().for_each(|square| found(Elite::GoBerserk(piece, square)));
    }
}

pub(crate) fn ask_berserk<A: Answers>(scene: Scene<'_>, answers: &mut A) -> Result<Elite, A::Stop> {
    let piece = answers.piece("Next to which piece does Caprice go?", targets(scene))?;
    let square = answers.square("Where does it go?", blank_neighbours(scene, piece))?;
    Ok(Elite::GoBerserk(piece, square))
}

pub(crate) fn go_berserk(piece: Umbration, square: Square, effects: &mut Effects) {
    effects.move_piece(Umbration::Caprice, square);
    effects.lose(piece, BERSERK_LOSS);
    effects.lose(Umbration::Caprice, BERSERK_LOSS);
}
