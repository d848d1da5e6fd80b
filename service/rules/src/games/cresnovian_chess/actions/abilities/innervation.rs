//! Innervation: Energize (CC-52) and Select the Fit (CC-53).

use crate::games::cresnovian_chess::actions::abilities::Scene;
use crate::games::cresnovian_chess::actions::answers::Answers;
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::field::umbration::{PieceSet, Umbration};
use crate::games::cresnovian_chess::moves::Basic;
use crate::games::cresnovian_chess::violation::{Violation, require};

/// Minimum and maximum gain of Energize.
const AMOUNTS: (u32, u32) = (1, 3);
/// Q from which a piece is fit.
const FIT: u32 = 9;

/// Returns the pieces that can be energized: alive, and adjacent or the performer itself.
fn targets(scene: Scene<'_>) -> PieceSet {
    let near = scene.square().neighbours().with(scene.square());
    scene.field().pieces_with(|piece| piece.condition.q > 0 && near.contains(piece.square))
}

pub(crate) fn check_energize(scene: Scene<'_>, piece: Umbration, amount: u32) -> Result<(), Violation> {
    let text = "energize the performer or a piece next to it, and no dead one";
    require(targets(scene).contains(piece), "CC-52", text)?;
    require((AMOUNTS.0..=AMOUNTS.1).contains(&amount), "CC-52", "add 1, 2 or 3 Q")
}

pub(crate) fn list_energies(scene: Scene<'_>, found: &mut impl FnMut(Basic)) {
    for piece in targets(scene).iter() {
        (AMOUNTS.0..=AMOUNTS.1).for_each(|amount| found(Basic::Energize(piece, amount)));
    }
}

pub(crate) fn ask_energize<A: Answers>(scene: Scene<'_>, answers: &mut A) -> Result<Basic, A::Stop> {
    let piece = answers.piece("Which piece is energized?", targets(scene))?;
    let amount = answers.number("How many Q does it gain?", AMOUNTS.0, AMOUNTS.1)?;
    Ok(Basic::Energize(piece, amount))
}

/// Sets every piece that is not fit to 0Q; eternal ones keep their 3Q.
pub(crate) fn select(effects: &mut Effects) {
    for piece in Umbration::ALL {
        effects.change_q(piece, |q| if q < FIT { 0 } else { q });
    }
}
