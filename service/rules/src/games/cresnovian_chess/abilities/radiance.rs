//! Radiance: Spectacle (CC-48) and Ultraviolent Ray (CC-49).

use super::Scene;
use crate::games::cresnovian_chess::asking::Asker;
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::moves::Basic;
use crate::games::cresnovian_chess::refused::{Refused, require};
use crate::games::cresnovian_chess::square::{Square, SquareSet};
use crate::games::cresnovian_chess::umbration::{PieceSet, Umbration};

/// The squares on which a monument can rise.
pub(super) fn stages(scene: Scene<'_>) -> SquareSet {
    scene.field().blanks().and(scene.opposite_kingdom())
}

/// The pieces of which a monument can rise.
fn stars(scene: Scene<'_>) -> PieceSet {
    scene.field().pieces_on(scene.own_kingdom())
}

pub(super) fn check_spectacle(scene: Scene<'_>, piece: Umbration, square: Square) -> Result<(), Refused> {
    require(stars(scene).contains(piece), "CC-48", "name a piece in your own kingdom")?;
    let stages = stages(scene);
    require(stages.contains(square), "CC-48", "the monument rises on a blank square of the other kingdom")
}

pub(super) fn list_spectacles(scene: Scene<'_>, found: &mut impl FnMut(Basic)) {
    for piece in stars(scene).iter() {
        stages(scene).iter().for_each(|square| found(Basic::Spectacle(piece, square)));
    }
}

pub(super) fn ask_spectacle<A: Asker>(scene: Scene<'_>, asker: &mut A) -> Result<Basic, A::Stop> {
    let piece = asker.piece("Which piece of your kingdom gets a monument?", stars(scene))?;
    let square = asker.square("Where does it rise?", stages(scene))?;
    Ok(Basic::Spectacle(piece, square))
}

/// Every other piece of the row falls to 1Q, and its monuments vanish.
pub(super) fn burn(scene: Scene<'_>, effects: &mut Effects) {
    let row = scene.square().whole_row();
    for piece in scene.field().pieces_on(row).iter().filter(|&piece| piece != scene.performer) {
        effects.change_q(piece, |q| q.min(1));
    }
    row.iter().for_each(|square| effects.destroy(square));
}
