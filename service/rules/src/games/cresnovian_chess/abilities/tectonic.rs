//! Corporeality's elite ability, Tectonic Failure (CC-51): single steps, carried out one after another.

use alloc::vec::Vec;

use super::Scene;
use crate::games::cresnovian_chess::asking::{Asker, enough_offer, kind_offer, square_offer};
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::field::Field;
use crate::games::cresnovian_chess::moves::Step;
use crate::games::cresnovian_chess::refused::{Refused, require};
use crate::games::cresnovian_chess::square::{Direction, Square, SquareSet};

/// Where things stand between two steps. A thing is known by its square, since it moves at most once.
#[derive(Clone, Copy)]
struct Ground {
    blanks: SquareSet,
    /// Pieces and monuments that have not moved yet.
    unmoved: SquareSet,
    moved: SquareSet,
}

impl Ground {
    fn of(field: &Field) -> Self {
        Self { blanks: field.blanks(), unmoved: field.movable(), moved: SquareSet::EMPTY }
    }

    fn can_step(&self, from: Square, direction: Direction) -> bool {
        from.step(direction).is_some_and(|to| self.blanks.contains(to))
    }

    /// The things that can make a step now.
    fn movers(&self) -> impl Iterator<Item = Square> + Clone {
        let ground = *self;
        ground.unmoved.iter().filter(move |from| !from.neighbours().and(ground.blanks).is_empty())
    }

    fn step(&mut self, step: Step) -> Result<(), Refused> {
        let Step { from, direction } = step;
        require(!self.moved.contains(from), "CC-51", "a piece or monument makes one step at most")?;
        require(self.unmoved.contains(from), "CC-51", "no piece or monument stands there")?;
        let to = from.step(direction).filter(|to| self.blanks.contains(*to));
        let Some(to) = to else {
            return Err(Refused::by("CC-51", "a step leads to a square of the field that is blank by then"));
        };
        self.unmoved = self.unmoved.without(from);
        self.moved = self.moved.with(to);
        self.blanks = self.blanks.with(from).without(to);
        Ok(())
    }
}

pub(super) fn can_begin(scene: Scene<'_>) -> bool {
    Ground::of(scene.field()).movers().next().is_some()
}

pub(super) fn check(scene: Scene<'_>, steps: &[Step]) -> Result<(), Refused> {
    require(!steps.is_empty(), "CC-51", "make at least one step")?;
    let mut ground = Ground::of(scene.field());
    steps.iter().try_for_each(|&step| ground.step(step))
}

pub(super) fn ask<A: Asker>(scene: Scene<'_>, asker: &mut A) -> Result<Vec<Step>, A::Stop> {
    let mut ground = Ground::of(scene.field());
    let mut steps = Vec::new();
    loop {
        let enough = if steps.is_empty() { None } else { Some(None) };
        let offer = |from: Option<Square>| from.map_or_else(enough_offer, square_offer);
        let movers = ground.movers().map(Some).chain(enough);
        let Some(from) = asker.pick("Which piece or monument makes a step?", movers, offer)? else {
            return Ok(steps);
        };
        let ways = Direction::ALL.into_iter().filter(|&direction| ground.can_step(from, direction));
        let direction =
            asker.pick("Where to?", ways, |direction| kind_offer(direction.code(), direction.name()))?;
        let step = Step { from, direction };
        // Only legal steps were offered.
        if ground.step(step).is_ok() {
            steps.push(step);
        }
    }
}

pub(super) fn shift(steps: &[Step], effects: &mut Effects) {
    for Step { from, direction } in steps {
        if let Some(to) = from.step(*direction) {
            effects.move_thing(*from, to);
        }
    }
}
