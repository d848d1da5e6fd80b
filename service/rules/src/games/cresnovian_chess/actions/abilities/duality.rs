//! Duality: Cut (CC-42) may be used on any piece and needs nothing here; who flocks together (CC-43).

use crate::games::cresnovian_chess::actions::abilities::Scene;
use crate::games::cresnovian_chess::field::umbration::PieceSet;

/// Every piece whose Q is the performer's before the cost, itself included.
pub(crate) fn flock(scene: Scene<'_>) -> PieceSet {
    let q = scene.field().q(scene.performer);
    scene.field().pieces_with(|piece| piece.condition.q == q)
}
