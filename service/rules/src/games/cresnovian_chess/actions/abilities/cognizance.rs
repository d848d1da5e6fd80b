//! Cognizance: Propaganda (CC-56) and Sum of All Knowledge (CC-57).

use crate::games::cresnovian_chess::actions::abilities::Scene;
use crate::games::cresnovian_chess::actions::answers::{Answers, piece_choice};
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::field::square::SquareSet;
use crate::games::cresnovian_chess::field::umbration::{PieceSet, Umbration};
use crate::games::cresnovian_chess::moves::Basic;
use crate::games::cresnovian_chess::violation::{Violation, require};

pub(crate) fn check_propaganda(pieces: PieceSet) -> Result<(), Violation> {
    require(!pieces.is_empty(), "CC-56", "name at least one piece")
}

pub(crate) fn ask_propaganda<A: Answers>(answers: &mut A) -> Result<Basic, A::Stop> {
    let pieces = answers.some_of("Which pieces lose 1Q?", Umbration::ALL.into_iter(), piece_choice)?;
    Ok(Basic::Propaganda(pieces.into_iter().collect()))
}

pub(crate) fn sum_up(scene: Scene<'_>, effects: &mut Effects) {
    let monuments = scene.field().monuments_on(SquareSet::ALL).len();
    effects.change_q(scene.performer, |q| q + monuments);
}
