//! What pieces can perform, a file an umbration: what an ability may be used on, its refusals, its questions, its
//! effect. Who may perform at all, and what it costs, is in `performing`.

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

use crate::Seat;
use crate::games::cresnovian_chess::choices::answers::Answers;
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::field::Field;
use crate::games::cresnovian_chess::field::square::{Square, SquareSet};
use crate::games::cresnovian_chess::field::umbration::Umbration;
use crate::games::cresnovian_chess::moves::{Basic, Elite};
use crate::games::cresnovian_chess::state::Playing;
use crate::games::cresnovian_chess::violation::Violation;

pub(crate) use caprice::{dancers, is_danceable};
pub(crate) use cosmos::{MAX_LISTED, redefinitions};

/// A performance about to begin: who performs, in which position, for which seat.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) playing: &'a Playing,
    pub(crate) seat: Seat,
    /// Caprice in a Dance, else the piece whose ability it is.
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

/// Whether the umbration's basic ability has any legal use. A Dance has one if any piece can be danced.
pub(crate) fn has_basic_use(scene: Scene<'_>, whose: Umbration) -> bool {
    match whose {
        Umbration::Essence => !essence::displaced(scene).is_empty(),
        Umbration::Velocity => scene.playing.last.is_some(),
        Umbration::Radiance => !radiance::sites(scene).is_empty(),
        Umbration::Corporeality => {
            !corporeality::sites(scene).is_empty() || !corporeality::monuments(scene).is_empty()
        }
        Umbration::Caprice => !dancers(scene).is_empty(),
        // Any piece will do, the performer itself among them.
        Umbration::Duality | Umbration::Cosmos | Umbration::Innervation | Umbration::Cognizance => true,
    }
}

/// Whether the performer's elite ability has any legal use.
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

/// Refuses a use of a basic ability that its paragraph does not allow.
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

/// Refuses a use of an elite ability that its paragraph does not allow.
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

/// Every use of the umbration's basic ability but those that are too many to list (CC-80).
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

/// Every use of the performer's elite ability, if they are listed (CC-80).
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

/// The family of this basic ability's uses that is too large to list, if it has a legal one.
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

/// The same of the performer's elite ability, which has a legal use.
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

/// What a legal use of a basic ability does; the cost comes later.
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

/// What a legal use of an elite ability does; the cost comes later.
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
