//! Radiance: Spectacle (CC-48) and Ultraviolent Ray (CC-49).

use crate::games::cresnovian_chess::actions::abilities::Scene;
use crate::games::cresnovian_chess::actions::answers::Answers;
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::field::square::{Square, SquareSet};
use crate::games::cresnovian_chess::field::umbration::{PieceSet, Umbration};
use crate::games::cresnovian_chess::moves::Basic;
use crate::games::cresnovian_chess::violation::{Violation, require};

/// Returns the squares on which a monument can rise.
pub(crate) fn sites(scene: Scene<'_>) -> SquareSet {
    scene.field().blanks().and(scene.opposite_kingdom())
}

/// Returns the pieces whose umbration can be named.
fn namable(scene: Scene<'_>) -> PieceSet {
    scene.field().pieces_on(scene.own_kingdom())
}

pub(crate) fn check_spectacle(scene: Scene<'_>, piece: Umbration, square: Square) -> Result<(), Violation> {
    require(namable(scene).contains(piece), "CC-48", "name a piece in your own kingdom")?;
    let sites = sites(scene);
    require(sites.contains(square), "CC-48", "the monument rises on a blank square of the other kingdom")
}

pub(crate) fn list_spectacles(scene: Scene<'_>, found: &mut impl FnMut(Basic)) {
    for piece in namable(scene).iter() {
        sites(scene).iter().for_each(|square| found(Basic::Spectacle(piece, square)));
    }
}

pub(crate) fn ask_spectacle<A: Answers>(scene: Scene<'_>, answers: &mut A) -> Result<Basic, A::Stop> {
    let piece = answers.piece("Which piece of your kingdom gets a monument?", namable(scene))?;
    let square = answers.square("Where does it rise?", sites(scene))?;
    Ok(Basic::Spectacle(piece, square))
}

/// Reduces every other piece in the row to 1Q and destroys its monuments.
pub(crate) fn burn(scene: Scene<'_>, effects: &mut Effects) {
    let row = scene.square().whole_row();
    for piece in scene.field().pieces_on(row).iter().filter(|&piece| piece != scene.performer) {
        effects.change_q(piece, |q| q.min(1));
    }
    row.iter().for_each(|square| effects.destroy(square));
}
