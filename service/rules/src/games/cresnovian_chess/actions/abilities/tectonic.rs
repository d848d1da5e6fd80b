//! Corporeality's elite ability, Tectonic Failure (CC-51): single steps, carried out one after another.

use alloc::vec::Vec;

use crate::games::cresnovian_chess::actions::abilities::Scene;
use crate::games::cresnovian_chess::actions::answers::{Answers, enough_choice, kind_choice, square_choice};
use crate::games::cresnovian_chess::effects::Effects;
use crate::games::cresnovian_chess::field::Field;
use crate::games::cresnovian_chess::field::square::{Direction, Square, SquareSet};
use crate::games::cresnovian_chess::moves::TectonicStep;
use crate::games::cresnovian_chess::violation::{Violation, require};

/// Where things stand between two steps. A square identifies a thing, because each thing moves at most once.
#[derive(Clone, Copy)]
struct Terrain {
    blanks: SquareSet,
    /// Pieces and monuments that have not moved yet.
    unmoved: SquareSet,
    moved: SquareSet,
}

impl Terrain {
    fn of(field: &Field) -> Self {
        Self { blanks: field.blanks(), unmoved: field.movable(), moved: SquareSet::EMPTY }
    }

    fn can_step(&self, from: Square, direction: Direction) -> bool {
        from.step(direction).is_some_and(|to| self.blanks.contains(to))
    }

    /// Returns the things that can make a step now.
    fn movers(&self) -> impl Iterator<Item = Square> + Clone {
        let terrain = *self;
        terrain.unmoved.iter().filter(move |from| !from.neighbours().and(terrain.blanks).is_empty())
    }

    fn step(&mut self, step: TectonicStep) -> Result<(), Violation> {
        let TectonicStep { from, direction } = step;
        require(!self.moved.contains(from), "CC-51", "a piece or monument makes one step at most")?;
        require(self.unmoved.contains(from), "CC-51", "no piece or monument stands there")?;
        let to = from.step(direction).filter(|to| self.blanks.contains(*to));
        let Some(to) = to else {
            return Err(Violation::of(
                "CC-51",
                "a step leads to a square of the field that is blank by then",
            ));
        };
        self.unmoved = self.unmoved.without(from);
        self.moved = self.moved.with(to);
        self.blanks = self.blanks.with(from).without(to);
        Ok(())
    }
}

pub(crate) fn can_begin(scene: Scene<'_>) -> bool {
    Terrain::of(scene.field()).movers().next().is_some()
}

pub(crate) fn check(scene: Scene<'_>, steps: &[TectonicStep]) -> Result<(), Violation> {
    require(!steps.is_empty(), "CC-51", "make at least one step")?;
    let mut terrain = Terrain::of(scene.field());
    steps.iter().try_for_each(|&step| terrain.step(step))
}

pub(crate) fn ask<A: Answers>(scene: Scene<'_>, answers: &mut A) -> Result<Vec<TectonicStep>, A::Stop> {
    let mut terrain = Terrain::of(scene.field());
    let mut steps = Vec::new();
    loop {
        let enough = if steps.is_empty() { None } else { Some(None) };
        let choice = |from: Option<Square>| from.map_or_else(enough_choice, square_choice);
        let movers = terrain.movers().map(Some).chain(enough);
        let Some(from) = answers.pick("Which piece or monument makes a step?", movers, choice)? else {
            return Ok(steps);
        };
        let directions = Direction::ALL.into_iter().filter(|&direction| terrain.can_step(from, direction));
        let direction = answers
            .pick("Where to?", directions, |direction| kind_choice(direction.code(), direction.name()))?;
        let step = TectonicStep { from, direction };
        // Only legal steps were offered, so this always holds.
        if terrain.step(step).is_ok() {
            steps.push(step);
        }
    }
}

pub(crate) fn shift(steps: &[TectonicStep], effects: &mut Effects) {
    for TectonicStep { from, direction } in steps {
        if let Some(to) = from.step(*direction) {
            effects.move_thing(*from, to);
        }
    }
}
