//! Velocity: Critical Rewind (CC-46) and Teleport (CC-47). What a rewind forbids is noted when the turn ends.

use super::Scene;
use crate::games::cresnovian_chess::asking::Asker;
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::facts::Fact;
use crate::games::cresnovian_chess::moves::Elite;
use crate::games::cresnovian_chess::refused::{Refused, require};
use crate::games::cresnovian_chess::square::Square;
use crate::games::cresnovian_chess::state::Playing;

/// Seats alternate, so the turn just before is always the opponent's; placement and choice are no turns (CC-11).
pub(super) fn check_rewind(playing: &Playing) -> Result<(), Refused> {
    require(playing.last.is_some(), "CC-46", "there is no turn to rewind")
}

pub(super) fn rewind(playing: &Playing, effects: &mut Effects) {
    if let Some(last) = &playing.last {
        effects.facts.push(Fact::Rewound { deed: last.deed });
        effects.restore(&last.field);
    }
}

pub(super) fn check_teleport(scene: Scene<'_>, from: Square, to: Square) -> Result<(), Refused> {
    require(scene.field().movable().contains(from), "CC-47", "no piece or monument stands there")?;
    require(scene.field().blanks().contains(to), "CC-47", "what is teleported goes to a blank square")
}

pub(super) fn list_teleports(scene: Scene<'_>, found: &mut impl FnMut(Elite)) {
    for from in scene.field().movable().iter() {
        scene.field().blanks().iter().for_each(|to| found(Elite::Teleport { from, to }));
    }
}

pub(super) fn ask_teleport<A: Asker>(scene: Scene<'_>, asker: &mut A) -> Result<Elite, A::Stop> {
    let from = asker.square("Where does the piece or monument stand?", scene.field().movable())?;
    let to = asker.square("Where does it go?", scene.field().blanks())?;
    Ok(Elite::Teleport { from, to })
}
