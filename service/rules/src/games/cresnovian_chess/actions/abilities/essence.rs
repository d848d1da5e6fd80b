//! Essence: Return Home (CC-40). Perfect Eternal (CC-41) targets any piece and needs no check.

use crate::games::cresnovian_chess::actions::abilities::Scene;
use crate::games::cresnovian_chess::field::umbration::{PieceSet, Umbration};
use crate::games::cresnovian_chess::violation::{Violation, require};

/// Returns the pieces that can go home: away from it, with the home square blank.
pub(crate) fn displaced(scene: Scene<'_>) -> PieceSet {
    let blanks = scene.field().blanks();
    // The home of a piece that stands on it is not blank.
    scene.field().pieces_with(|piece| blanks.contains(piece.home))
}

pub(crate) fn check_return(scene: Scene<'_>, piece: Umbration) -> Result<(), Violation> {
    let stands = scene.field().piece(piece);
    require(stands.square != stands.home, "CC-40", "that piece is at home already")?;
    require(scene.field().blanks().contains(stands.home), "CC-40", "that piece's home is not blank")
}
