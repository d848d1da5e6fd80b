//! Innervation: Energize (CC-52) and Select the Fit (CC-53).

use super::Scene;
use crate::games::cresnovian_chess::asking::Asker;
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::moves::Basic;
use crate::games::cresnovian_chess::refused::{Refused, require};
use crate::games::cresnovian_chess::umbration::{PieceSet, Umbration};

/// The least and the greatest gain.
const AMOUNTS: (u32, u32) = (1, 3);
/// From here on a piece is fit.
const FIT: u32 = 9;

/// The pieces that can be energized: alive, and adjacent or the performer itself.
fn patients(scene: Scene<'_>) -> PieceSet {
    let near = scene.square().neighbours().with(scene.square());
    scene.field().pieces_with(|piece| piece.condition.q > 0 && near.contains(piece.square))
}

pub(super) fn check_energize(scene: Scene<'_>, piece: Umbration, amount: u32) -> Result<(), Refused> {
    let text = "energize the performer or a piece next to it, and no dead one";
    require(patients(scene).contains(piece), "CC-52", text)?;
    require((AMOUNTS.0..=AMOUNTS.1).contains(&amount), "CC-52", "add 1, 2 or 3 Q")
}

pub(super) fn list_energies(scene: Scene<'_>, found: &mut impl FnMut(Basic)) {
    for piece in patients(scene).iter() {
        (AMOUNTS.0..=AMOUNTS.1).for_each(|amount| found(Basic::Energize(piece, amount)));
    }
}

pub(super) fn ask_energize<A: Asker>(scene: Scene<'_>, asker: &mut A) -> Result<Basic, A::Stop> {
    let piece = asker.piece("Which piece is energized?", patients(scene))?;
    let amount = asker.number("How many Q does it gain?", AMOUNTS.0, AMOUNTS.1)?;
    Ok(Basic::Energize(piece, amount))
}

/// Every piece that is not fit loses everything; eternal ones keep their 3Q.
pub(super) fn select(effects: &mut Effects) {
    for piece in Umbration::ALL {
        effects.change_q(piece, |q| if q < FIT { 0 } else { q });
    }
}
