//! Cognizance: Propaganda (CC-56) and Sum of All Knowledge (CC-57).

use super::Scene;
use crate::games::cresnovian_chess::asking::{Asker, piece_offer};
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::moves::Basic;
use crate::games::cresnovian_chess::refused::{Refused, require};
use crate::games::cresnovian_chess::square::SquareSet;
use crate::games::cresnovian_chess::umbration::{PieceSet, Umbration};

pub(super) fn check_propaganda(pieces: PieceSet) -> Result<(), Refused> {
    require(!pieces.is_empty(), "CC-56", "name at least one piece")
}

pub(super) fn ask_propaganda<A: Asker>(asker: &mut A) -> Result<Basic, A::Stop> {
    let pieces = asker.some_of("Which pieces lose 1Q?", Umbration::ALL.into_iter(), piece_offer)?;
    Ok(Basic::Propaganda(pieces.into_iter().collect()))
}

pub(super) fn sum_up(scene: Scene<'_>, effects: &mut Effects) {
    let monuments = scene.field().monuments_on(SquareSet::ALL).len();
    effects.change_q(scene.performer, |q| q + monuments);
}
