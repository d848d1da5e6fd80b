//! Velocity: Critical Rewind (CC-46) and Teleport (CC-47). `play` records what a rewind forbids.

use crate::games::cresnovian_chess::actions::abilities::Scene;
use crate::games::cresnovian_chess::actions::answers::Answers;
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::facts::Fact;
use crate::games::cresnovian_chess::field::square::Square;
use crate::games::cresnovian_chess::moves::Elite;
use crate::games::cresnovian_chess::state::Playing;
use crate::games::cresnovian_chess::violation::{Violation, require};

/// Rejects a rewind before the first turn. Seats alternate, so the previous turn is always the opponent's;
/// placement and choice are not turns (CC-11).
pub(crate) fn check_rewind(playing: &Playing) -> Result<(), Violation> {
    require(playing.last.is_some(), "CC-46", "there is no turn to rewind")
}

pub(crate) fn rewind(playing: &Playing, effects: &mut Effects) {
    if let Some(last) = &playing.last {
        effects.facts.push(Fact::Rewound { deed: last.deed });
        effects.undo(last);
    }
}

pub(crate) fn check_teleport(scene: Scene<'_>, from: Square, to: Square) -> Result<(), Violation> {
    require(scene.field().movable().contains(from), "CC-47", "no piece or monument stands there")?;
    require(scene.field().blanks().contains(to), "CC-47", "what is teleported goes to a blank square")
}

pub(crate) fn list_teleports(scene: Scene<'_>, found: &mut impl FnMut(Elite)) {
    for from in scene.field().movable().iter() {
        scene.field().blanks().iter().for_each(|to| found(Elite::Teleport { from, to }));
    }
}

pub(crate) fn ask_teleport<A: Answers>(scene: Scene<'_>, answers: &mut A) -> Result<Elite, A::Stop> {
    let from = answers.square("Where does the piece or monument stand?", scene.field().movable())?;
    let to = answers.square("Where does it go?", scene.field().blanks())?;
    Ok(Elite::Teleport { from, to })
}
