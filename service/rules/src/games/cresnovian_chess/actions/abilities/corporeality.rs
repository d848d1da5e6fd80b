//! Corporeality: Build Monument, which builds or destroys (CC-50). Tectonic Failure (CC-51) is in `tectonic`.

use crate::games::cresnovian_chess::actions::abilities::Scene;
use crate::games::cresnovian_chess::actions::answers::{
    Answers, kind_choice, square_choice, umbration_choice,
};
use crate::games::cresnovian_chess::field::square::{Square, SquareSet};
use crate::games::cresnovian_chess::field::umbration::Umbration;
use crate::games::cresnovian_chess::moves::Basic;
use crate::games::cresnovian_chess::violation::{Violation, require};

/// Returns the adjacent blank squares.
pub(crate) fn sites(scene: Scene<'_>) -> SquareSet {
    scene.square().neighbours().and(scene.field().blanks())
}

/// Returns the adjacent squares with a monument.
pub(crate) fn monuments(scene: Scene<'_>) -> SquareSet {
    scene.field().monuments_on(scene.square().neighbours())
}

pub(crate) fn check_build(scene: Scene<'_>, square: Square) -> Result<(), Violation> {
    require(sites(scene).contains(square), "CC-50", "build on a blank square next to the performer")
}

pub(crate) fn check_destroy(scene: Scene<'_>, squares: SquareSet) -> Result<(), Violation> {
    require(!squares.is_empty(), "CC-50", "name at least one monument to destroy")?;
    let are_monuments = squares.and(monuments(scene)) == squares;
    require(are_monuments, "CC-50", "only monuments next to the performer can be destroyed")
}

pub(crate) fn list_buildings(scene: Scene<'_>, found: &mut impl FnMut(Basic)) {
    for square in sites(scene).iter() {
        Umbration::ALL.into_iter().for_each(|umbration| found(Basic::BuildMonument(umbration, square)));
    }
}

/// The two uses of Build Monument.
#[derive(Clone, Copy)]
enum Use {
    Build,
    Destroy,
}

pub(crate) fn ask<A: Answers>(scene: Scene<'_>, answers: &mut A) -> Result<Basic, A::Stop> {
    let (sites, monuments) = (sites(scene), monuments(scene));
    let is_possible = |kind: &Use| match kind {
        Use::Build => !sites.is_empty(),
        Use::Destroy => !monuments.is_empty(),
    };
    let choice = |kind| match kind {
        Use::Build => kind_choice("build", "Build a monument"),
        Use::Destroy => kind_choice("destroy", "Destroy monuments"),
    };
    let uses = [Use::Build, Use::Destroy].into_iter().filter(is_possible);
    match answers.pick("Build or destroy?", uses, choice)? {
        Use::Build => {
            let square = answers.square("Where is it built?", sites)?;
            let umbration = answers.pick(
                "A monument of which umbration?",
                Umbration::ALL.into_iter(),
                umbration_choice,
            )?;
            Ok(Basic::BuildMonument(umbration, square))
        }
        Use::Destroy => {
            let squares =
                answers.some_of("Which monuments are destroyed?", monuments.iter(), square_choice)?;
            Ok(Basic::DestroyMonuments(squares.into_iter().collect()))
        }
    }
}
