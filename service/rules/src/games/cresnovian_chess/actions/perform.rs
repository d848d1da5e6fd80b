//! Performances: who may perform what (CC-30, CC-32, CC-33), the cost (CC-31) and the effect.

use crate::Side;
use crate::games::cresnovian_chess::actions::abilities::{self, Scene};
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::facts::{Cost, Fact};
use crate::games::cresnovian_chess::field::umbration::Umbration;
use crate::games::cresnovian_chess::field::{Condition, Field, Status, Thing};
use crate::games::cresnovian_chess::moves::Performance;
use crate::games::cresnovian_chess::state::{Deed, Playing};
use crate::games::cresnovian_chess::violation::{Violation, require};

/// Q from which the basic ability is open.
const BASIC_Q: u32 = 3;
/// Q from which the elite ability is open too.
const ELITE_Q: u32 = 9;

/// What a performance uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PerformanceKind {
    Repair,
    Basic,
    Elite,
}

impl PerformanceKind {
    const fn of(performance: &Performance) -> Self {
        match performance {
            Performance::Repair(_) => Self::Repair,
            Performance::Basic(_) | Performance::Dance(_) => Self::Basic,
            Performance::Elite(_) => Self::Elite,
        }
    }
}

/// Returns what the seat's pieces can perform now, each with at least one legal use, by piece; elite
/// abilities come last.
pub(crate) fn available(
    playing: &Playing,
    seat: Side,
) -> impl Iterator<Item = (Umbration, PerformanceKind)> + Clone {
    let pieces = playing.field.pieces_on(playing.squares_of(seat));
    let performers = pieces.iter().filter(|&piece| playing.forbidden != Some(Deed::Perform(piece)));
    performers.flat_map(move |performer| {
        let available = kinds_open_to(playing.field.piece(performer).condition).iter();
        let is_useful = move |kind: &&PerformanceKind| has_use(Scene { playing, seat, performer }, **kind);
        available.filter(is_useful).map(move |&kind| (performer, kind))
    })
}

/// Returns what a piece in this condition can perform in its own kingdom (CC-30, CC-32, CC-33).
const fn kinds_open_to(condition: Condition) -> &'static [PerformanceKind] {
    match condition.status {
        _ if condition.q < BASIC_Q => &[],
        Status::Broken => &[PerformanceKind::Repair],
        Status::Whole if condition.q >= ELITE_Q => &[PerformanceKind::Basic, PerformanceKind::Elite],
        Status::Whole | Status::Eternal => &[PerformanceKind::Basic],
    }
}

fn has_use(scene: Scene<'_>, kind: PerformanceKind) -> bool {
    match kind {
        PerformanceKind::Repair => true,
        PerformanceKind::Basic => abilities::has_basic_use(scene, scene.performer),
        PerformanceKind::Elite => abilities::has_elite_use(scene),
    }
}

/// Rejects a piece that may not perform this at all, whatever the target.
fn check_performer(scene: Scene<'_>, kind: PerformanceKind) -> Result<(), Violation> {
    let performer = scene.field().piece(scene.performer);
    let is_forbidden = scene.playing.forbidden == Some(Deed::Perform(scene.performer));
    require(
        !is_forbidden,
        "CC-46",
        "this piece's performance was rewound, so it cannot perform in this turn",
    )?;
    let is_own = scene.own_kingdom().contains(performer.square);
    require(is_own, "CC-30", "only a piece in your own kingdom can perform")?;
    require(performer.condition.q >= BASIC_Q, "CC-30", "a piece needs 3Q to perform")?;
    if kinds_open_to(performer.condition).contains(&kind) {
        return Ok(());
    }
    Err(match (kind, performer.condition.status) {
        (_, Status::Broken) => Violation::of("CC-32", "a broken piece can only perform Repair"),
        (PerformanceKind::Repair, _) => Violation::of("CC-32", "only a broken piece can perform Repair"),
        (_, Status::Eternal) => Violation::of("CC-33", "an eternal piece cannot perform an elite ability"),
        (_, Status::Whole) => Violation::of("CC-30", "a piece needs 9Q for its elite ability"),
    })
}

pub(crate) fn check(playing: &Playing, seat: Side, performance: &Performance) -> Result<(), Violation> {
    let scene = Scene { playing, seat, performer: performance.performer() };
    check_kind(scene, performance)?;
    check_performer(scene, PerformanceKind::of(performance))?;
    match performance {
        Performance::Repair(_) => Ok(()),
        Performance::Basic(basic) => abilities::check_basic(scene, basic),
        Performance::Elite(elite) => abilities::check_elite(scene, elite),
        Performance::Dance(basic) => {
            let is_danceable = abilities::is_danceable(scene, basic.umbration());
            require(is_danceable, "CC-54", "dance the basic ability of a live piece in the World")?;
            abilities::check_basic(scene, basic)
        }
    }
}

/// Rejects a kind of performance that is not allowed now (G-2).
fn check_kind(scene: Scene<'_>, performance: &Performance) -> Result<(), Violation> {
    use crate::games::cresnovian_chess::moves::Basic;
    match performance {
        Performance::Basic(basic @ Basic::CriticalRewind)
        | Performance::Dance(basic @ Basic::CriticalRewind) => abilities::check_basic(scene, basic),
        Performance::Basic(_) | Performance::Dance(_) | Performance::Elite(_) | Performance::Repair(_) => {
            Ok(())
        }
    }
}

/// Carries out a legal performance. Returns the turn that it undid, if it was a rewind.
pub(crate) fn perform(
    playing: &Playing,
    seat: Side,
    performance: &Performance,
    effects: &mut Effects,
) -> Option<Deed> {
    use crate::games::cresnovian_chess::moves::Basic;
    let scene = Scene { playing, seat, performer: performance.performer() };
    let performer = scene.performer;
    let cost = if is_exempt(scene.field(), performer) { Cost::Exempt } else { Cost::One };
    let performed = |ability, danced| Fact::Performed { seat, performer, ability, danced, cost };
    match performance {
        Performance::Repair(piece) => {
            effects.facts.push(Fact::Repaired { seat, piece: *piece, cost });
            effects.repair(*piece);
        }
        Performance::Basic(basic) => {
            effects.facts.push(performed(basic.ability(), None));
            abilities::play_basic(scene, basic, effects);
        }
        Performance::Dance(basic) => {
            effects.facts.push(performed(Umbration::Caprice.basic(), Some(basic.ability())));
            abilities::play_basic(scene, basic, effects);
        }
        Performance::Elite(elite) => {
            effects.facts.push(performed(elite.ability(), None));
            abilities::play_elite(scene, elite, effects);
        }
    }
    if cost == Cost::One {
        effects.lose(performer, 1);
    }
    match performance {
        Performance::Basic(Basic::CriticalRewind) | Performance::Dance(Basic::CriticalRewind) => {
            playing.last.as_ref().map(|last| last.deed)
        }
        Performance::Basic(_) | Performance::Dance(_) | Performance::Elite(_) | Performance::Repair(_) => {
            None
        }
    }
}

/// Returns whether a monument of the piece's own umbration is adjacent to it, regardless of its builder
/// (CC-31).
fn is_exempt(field: &Field, piece: Umbration) -> bool {
    let around = field.piece(piece).square.neighbours();
    around.iter().any(|square| field.thing(square) == Thing::Monument(piece))
}
