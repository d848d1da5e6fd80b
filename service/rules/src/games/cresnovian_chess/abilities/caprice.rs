//! Caprice: whose ability it can dance (CC-54), and Go Berserk (CC-55).

use super::{Scene, has_basic_use};
use crate::games::cresnovian_chess::asking::Asker;
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::moves::Elite;
use crate::games::cresnovian_chess::refused::{Refused, require};
use crate::games::cresnovian_chess::square::{Square, SquareSet, WORLD};
use crate::games::cresnovian_chess::umbration::{PieceSet, Umbration};

/// What the frenzy takes from both.
const FRENZY: u32 = 9;

/// Whether the piece stands in the World, alive. Caprice, which performs in its kingdom, never does.
pub(in super::super) fn is_danceable(scene: Scene<'_>, piece: Umbration) -> bool {
    let piece = scene.field().piece(piece);
    piece.condition.q > 0 && WORLD.contains(piece.square)
}

/// The pieces whose basic ability Caprice can use now.
pub(in super::super) fn dancers(scene: Scene<'_>) -> PieceSet {
    let in_world = Umbration::ALL.into_iter().filter(|&piece| is_danceable(scene, piece));
    in_world.filter(|&piece| has_basic_use(scene, piece)).collect()
}

/// The blank squares next to a piece.
fn sides(scene: Scene<'_>, piece: Umbration) -> SquareSet {
    scene.field().piece(piece).square.neighbours().and(scene.field().blanks())
}

/// The other pieces that have a blank square next to them.
pub(super) fn victims(scene: Scene<'_>) -> PieceSet {
    let others = Umbration::ALL.into_iter().filter(|&piece| piece != scene.performer);
    others.filter(|&piece| !sides(scene, piece).is_empty()).collect()
}

pub(super) fn check_berserk(scene: Scene<'_>, piece: Umbration, square: Square) -> Result<(), Refused> {
    require(piece != scene.performer, "CC-55", "name another piece than the performer")?;
    require(
        sides(scene, piece).contains(square),
        "CC-55",
        "the performer goes to a blank square next to that piece",
    )
}

pub(super) fn list_berserk(scene: Scene<'_>, found: &mut impl FnMut(Elite)) {
    for piece in victims(scene).iter() {
        sides(scene, piece).iter().for_each(|square| found(Elite::GoBerserk(piece, square)));
    }
}

pub(super) fn ask_berserk<A: Asker>(scene: Scene<'_>, asker: &mut A) -> Result<Elite, A::Stop> {
    let piece = asker.piece("Next to which piece does Caprice go?", victims(scene))?;
    let square = asker.square("Where does it go?", sides(scene, piece))?;
    Ok(Elite::GoBerserk(piece, square))
}

pub(super) fn go_berserk(piece: Umbration, square: Square, effects: &mut Effects) {
    effects.move_piece(Umbration::Caprice, square);
    effects.lose(piece, FRENZY);
    effects.lose(Umbration::Caprice, FRENZY);
}
