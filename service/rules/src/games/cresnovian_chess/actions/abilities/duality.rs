//! Duality: the members of a flock (CC-43). Cut (CC-42) targets any piece and needs no check.

use crate::games::cresnovian_chess::actions::abilities::Scene;
use crate::games::cresnovian_chess::field::umbration::PieceSet;

/// Returns every piece whose Q equals the performer's before the cost, itself included.
pub(crate) fn flock(scene: Scene<'_>) -> PieceSet {
    let q = scene.field().q(scene.performer);
    scene.field().pieces_with(|piece| piece.condition.q == q)
}
