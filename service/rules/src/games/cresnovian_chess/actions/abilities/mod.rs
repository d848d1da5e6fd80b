//! What pieces can perform, one file per umbration: the legal uses of its abilities, their questions and
//! effects. Who may perform, and the cost, are in `perform`.

mod caprice;
mod cognizance;
mod corporeality;
mod cosmos;
mod duality;
mod essence;
mod flock;
mod innervation;
mod radiance;
mod tectonic;
mod velocity;

use crate::Side;
use crate::games::cresnovian_chess::actions::answers::Answers;
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::field::Field;
use crate::games::cresnovian_chess::field::square::{Square, SquareSet};
use crate::games::cresnovian_chess::field::umbration::Umbration;
use crate::games::cresnovian_chess::moves::{Basic, Elite};
use crate::games::cresnovian_chess::state::Playing;
use crate::games::cresnovian_chess::violation::Violation;

pub(crate) use caprice::{dancers, is_danceable};
pub(crate) use cosmos::{MAX_LISTED, redefinitions};

/// A performance about to begin: the position, the seat and the performer.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) playing: &'a Playing,
    pub(crate) seat: Side,
    /// Caprice in a Dance, otherwise the piece that has the ability.
    pub(crate) performer: Umbration,
}

impl<'a> Scene<'a> {
    pub(crate) fn field(&self) -> &'a Field {
        &self.playing.field
    }

    pub(crate) fn square(&self) -> Square {
        self.playing.field.piece(self.performer).square
    }

    pub(crate) fn own_kingdom(&self) -> SquareSet {
        self.playing.squares_of(self.seat)
    }

    pub(crate) fn opposite_kingdom(&self) -> SquareSet {
        self.playing.squares_of(self.seat.other())
    }
}

/// Returns whether the umbration's basic ability has a legal use. A Dance has one if any piece can be danced.
pub(crate) fn has_basic_use(scene: Scene<'_>, whose: Umbration) -> bool {
    match whose {
        Umbration::Essence => !essence::displaced(scene).is_empty(),
        Umbration::Velocity => scene.playing.last.is_some(),
        Umbration::Radiance => !radiance::sites(scene).is_empty(),
        Umbration::Corporeality => {
            !corporeality::sites(scene).is_empty() || !corporeality::monuments(scene).is_empty()
        }
        Umbration::Caprice => !dancers(scene).is_empty(),
        // Any piece is a legal target, including the performer.
        Umbration::Duality | Umbration::Cosmos | Umbration::Innervation | Umbration::Cognizance => true,
    }
}

/// Returns whether the performer's elite ability has a legal use.
pub(crate) fn has_elite_use(scene: Scene<'_>) -> bool {
    match scene.performer {
        Umbration::Cosmos => redefinitions(scene) > 0,
        Umbration::Velocity => !scene.field().blanks().is_empty(),
        Umbration::Corporeality => tectonic::can_begin(scene),
        Umbration::Caprice => !caprice::targets(scene).is_empty(),
        Umbration::Essence
        | Umbration::Duality
        | Umbration::Radiance
        | Umbration::Innervation
        | Umbration::Cognizance => true,
    }
}

/// Rejects an illegal use of a basic ability.
pub(crate) fn check_basic(scene: Scene<'_>, basic: &Basic) -> Result<(), Violation> {
    match *basic {
        Basic::ReturnHome(piece) => essence::check_return(scene, piece),
        Basic::Cut(_) | Basic::Breakdown(_) => Ok(()),
        Basic::CriticalRewind => velocity::check_rewind(scene.playing),
        Basic::Spectacle(piece, square) => radiance::check_spectacle(scene, piece, square),
        Basic::BuildMonument(_, square) => corporeality::check_build(scene, square),
        Basic::DestroyMonuments(squares) => corporeality::check_destroy(scene, squares),
        Basic::Energize(piece, amount) => innervation::check_energize(scene, piece, amount),
        Basic::Propaganda(pieces) => cognizance::check_propaganda(pieces),
    }
}

/// Rejects an illegal use of an elite ability.
pub(crate) fn check_elite(scene: Scene<'_>, elite: &Elite) -> Result<(), Violation> {
    match elite {
        Elite::FlockTogether(flock) => flock::check(scene, flock),
        Elite::Redefinition { take, put_back, square } => {
            cosmos::check_redefinition(scene, *take, *put_back, *square)
        }
        Elite::Teleport { from, to } => velocity::check_teleport(scene, *from, *to),
        Elite::TectonicFailure(steps) => tectonic::check(scene, steps),
        Elite::GoBerserk(piece, square) => caprice::check_berserk(scene, *piece, *square),
        Elite::PerfectEternal(_)
        | Elite::UltraviolentRay
        | Elite::SelectTheFit
        | Elite::SumOfAllKnowledge => Ok(()),
    }
}

/// Visits every use of the umbration's basic ability, except the families that are too large to list (CC-80).
pub(crate) fn list_basic(scene: Scene<'_>, whose: Umbration, found: &mut impl FnMut(Basic)) {
    match whose {
        Umbration::Essence => essence::displaced(scene).iter().map(Basic::ReturnHome).for_each(found),
        Umbration::Duality => Umbration::ALL.into_iter().map(Basic::Cut).for_each(found),
        Umbration::Cosmos => Umbration::ALL.into_iter().map(Basic::Breakdown).for_each(found),
        Umbration::Velocity => scene.playing.last.iter().for_each(|_| found(Basic::CriticalRewind)),
        Umbration::Radiance => radiance::list_spectacles(scene, found),
        Umbration::Corporeality => corporeality::list_buildings(scene, found),
        Umbration::Innervation => innervation::list_energies(scene, found),
        Umbration::Caprice | Umbration::Cognizance => {}
    }
}

/// Visits every use of the performer's elite ability, if they are listed (CC-80).
pub(crate) fn list_elite(scene: Scene<'_>, found: &mut impl FnMut(Elite)) {
    match scene.performer {
        Umbration::Essence => Umbration::ALL.into_iter().map(Elite::PerfectEternal).for_each(found),
        Umbration::Cosmos => cosmos::list_redefinitions(scene, found),
        Umbration::Velocity => velocity::list_teleports(scene, found),
        Umbration::Radiance => found(Elite::UltraviolentRay),
        Umbration::Innervation => found(Elite::SelectTheFit),
        Umbration::Caprice => caprice::list_berserk(scene, found),
        Umbration::Cognizance => found(Elite::SumOfAllKnowledge),
        Umbration::Duality | Umbration::Corporeality => {}
    }
}

/// Returns the family of this basic ability that is too large to list, if it has a legal use.
pub(crate) fn unlisted_basic(scene: Scene<'_>, whose: Umbration) -> Option<&'static str> {
    match whose {
        Umbration::Corporeality => {
            (!corporeality::monuments(scene).is_empty()).then_some("destroy-monuments")
        }
        Umbration::Cognizance => Some("propaganda"),
        Umbration::Essence
        | Umbration::Duality
        | Umbration::Cosmos
        | Umbration::Velocity
        | Umbration::Radiance
        | Umbration::Innervation
        | Umbration::Caprice => None,
    }
}

/// Returns the family of the performer's elite ability that is too large to list. The ability has a legal
/// use.
pub(crate) fn unlisted_elite(scene: Scene<'_>) -> Option<&'static str> {
    match scene.performer {
        Umbration::Duality => Some("flock-together"),
        Umbration::Cosmos => (redefinitions(scene) > MAX_LISTED).then_some("redefinition"),
        Umbration::Corporeality => Some("tectonic-failure"),
        Umbration::Essence
        | Umbration::Velocity
        | Umbration::Radiance
        | Umbration::Innervation
        | Umbration::Caprice
        | Umbration::Cognizance => None,
    }
}

/// Asks for a use of the umbration's basic ability, which has a legal one and is not Caprice's.
pub(crate) fn ask_basic<A: Answers>(
    scene: Scene<'_>,
    whose: Umbration,
    answers: &mut A,
) -> Result<Basic, A::Stop> {
    let any = crate::games::cresnovian_chess::field::umbration::PieceSet::ALL;
    match whose {
        Umbration::Essence => {
            answers.piece("Which piece goes home?", essence::displaced(scene)).map(Basic::ReturnHome)
        }
        Umbration::Duality => answers.piece("Which piece is cut?", any).map(Basic::Cut),
        Umbration::Cosmos => answers.piece("Which piece breaks down?", any).map(Basic::Breakdown),
        Umbration::Velocity => Ok(Basic::CriticalRewind),
        Umbration::Radiance => radiance::ask_spectacle(scene, answers),
        Umbration::Corporeality => corporeality::ask(scene, answers),
        Umbration::Innervation => innervation::ask_energize(scene, answers),
        Umbration::Caprice | Umbration::Cognizance => cognizance::ask_propaganda(answers),
    }
}

/// Asks for a use of the performer's elite ability, which has a legal one.
pub(crate) fn ask_elite<A: Answers>(scene: Scene<'_>, answers: &mut A) -> Result<Elite, A::Stop> {
    match scene.performer {
        Umbration::Essence => {
            let any = crate::games::cresnovian_chess::field::umbration::PieceSet::ALL;
            answers.piece("Which piece becomes eternal?", any).map(Elite::PerfectEternal)
        }
        Umbration::Duality => flock::ask(scene, answers).map(Elite::FlockTogether),
        Umbration::Cosmos => cosmos::ask_redefinition(scene, answers),
        Umbration::Velocity => velocity::ask_teleport(scene, answers),
        Umbration::Radiance => Ok(Elite::UltraviolentRay),
        Umbration::Corporeality => tectonic::ask(scene, answers).map(Elite::TectonicFailure),
        Umbration::Innervation => Ok(Elite::SelectTheFit),
        Umbration::Caprice => caprice::ask_berserk(scene, answers),
        Umbration::Cognizance => Ok(Elite::SumOfAllKnowledge),
    }
}

/// Carries out a legal use of a basic ability; the cost follows separately.
pub(crate) fn play_basic(scene: Scene<'_>, basic: &Basic, effects: &mut Effects) {
    match *basic {
        Basic::ReturnHome(piece) => effects.move_piece(piece, scene.field().piece(piece).home),
        Basic::Cut(piece) => effects.change_q(piece, |q| q / 2),
        Basic::Breakdown(piece) => effects.break_down(piece),
        Basic::CriticalRewind => velocity::rewind(scene.playing, effects),
        Basic::Spectacle(piece, square) => effects.build(square, piece),
        Basic::BuildMonument(umbration, square) => effects.build(square, umbration),
        Basic::DestroyMonuments(squares) => squares.iter().for_each(|square| effects.destroy(square)),
        Basic::Energize(piece, amount) => {
            effects.repair(piece);
            effects.change_q(piece, |q| q + amount);
        }
        Basic::Propaganda(pieces) => pieces.iter().for_each(|piece| effects.lose(piece, 1)),
    }
}

/// Carries out a legal use of an elite ability; the cost follows separately.
pub(crate) fn play_elite(scene: Scene<'_>, elite: &Elite, effects: &mut Effects) {
    match elite {
        Elite::PerfectEternal(piece) => effects.make_eternal(*piece),
        Elite::FlockTogether(flock) => effects.move_together(flock.members()),
        Elite::Redefinition { take, put_back, square } => {
            cosmos::redefine(*take, *put_back, *square, effects);
        }
        Elite::Teleport { from, to } => effects.move_thing(*from, *to),
        Elite::UltraviolentRay => radiance::burn(scene, effects),
        Elite::TectonicFailure(steps) => tectonic::shift(steps, effects),
        Elite::SelectTheFit => innervation::select(effects),
        Elite::GoBerserk(piece, square) => caprice::go_berserk(*piece, *square, effects),
        Elite::SumOfAllKnowledge => cognizance::sum_up(scene, effects),
    }
}
