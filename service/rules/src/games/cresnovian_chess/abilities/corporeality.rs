//! Corporeality: Build Monument, which builds or destroys (CC-50). Tectonic Failure (CC-51) is in `tectonic`.

use super::Scene;
use crate::games::cresnovian_chess::asking::{Asker, kind_offer, square_offer, umbration_offer};
use crate::games::cresnovian_chess::moves::Basic;
use crate::games::cresnovian_chess::refused::{Refused, require};
use crate::games::cresnovian_chess::square::{Square, SquareSet};
use crate::games::cresnovian_chess::umbration::Umbration;

/// The adjacent blank squares.
pub(super) fn sites(scene: Scene<'_>) -> SquareSet {
    scene.square().neighbours().and(scene.field().blanks())
}

/// The adjacent squares with a monument.
pub(super) fn ruins(scene: Scene<'_>) -> SquareSet {
    scene.field().monuments_on(scene.square().neighbours())
}

pub(super) fn check_build(scene: Scene<'_>, square: Square) -> Result<(), Refused> {
    require(sites(scene).contains(square), "CC-50", "build on a blank square next to the performer")
}

pub(super) fn check_destroy(scene: Scene<'_>, squares: SquareSet) -> Result<(), Refused> {
    require(!squares.is_empty(), "CC-50", "name at least one monument to destroy")?;
    let are_ruins = squares.and(ruins(scene)) == squares;
    require(are_ruins, "CC-50", "only monuments next to the performer can be destroyed")
}

pub(super) fn list_buildings(scene: Scene<'_>, found: &mut impl FnMut(Basic)) {
    for square in sites(scene).iter() {
        Umbration::ALL.into_iter().for_each(|umbration| found(Basic::BuildMonument(umbration, square)));
    }
}

/// To build or to destroy.
#[derive(Clone, Copy)]
enum Work {
    Build,
    Destroy,
}

pub(super) fn ask<A: Asker>(scene: Scene<'_>, asker: &mut A) -> Result<Basic, A::Stop> {
    let (sites, ruins) = (sites(scene), ruins(scene));
    let is_possible = |work: &Work| match work {
        Work::Build => !sites.is_empty(),
        Work::Destroy => !ruins.is_empty(),
    };
    let offer = |work| match work {
        Work::Build => kind_offer("build", "Build a monument"),
        Work::Destroy => kind_offer("destroy", "Destroy monuments"),
    };
    let works = [Work::Build, Work::Destroy].into_iter().filter(is_possible);
    match asker.pick("Build or destroy?", works, offer)? {
        Work::Build => {
            let square = asker.square("Where is it built?", sites)?;
            let umbration =
                asker.pick("A monument of which umbration?", Umbration::ALL.into_iter(), umbration_offer)?;
            Ok(Basic::BuildMonument(umbration, square))
        }
        Work::Destroy => {
            let squares = asker.some_of("Which monuments are destroyed?", ruins.iter(), square_offer)?;
            Ok(Basic::DestroyMonuments(squares.into_iter().collect()))
        }
    }
}
