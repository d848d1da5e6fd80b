//! The moves of all pieces of the seat to act on one plane: for each offset, the set of places from which a
//! piece can move by it. `check` judges a single move independently.
//!
//! Targets are expressed from the mover's place: the whole plane is shifted back by the offset.

use crate::games::ludus_magus::board::Field;
use crate::games::ludus_magus::board::bitboard::{adjacent, count_all, places};
use crate::games::ludus_magus::board::offsets::{
    DOUBLE, OFFSETS, Origins, SINGLE, STEP_PAIRS, neighbours, shifted_back,
};
use crate::games::ludus_magus::board::piece::Kind;
use crate::games::ludus_magus::board::place::{Place, Plane};
use crate::games::ludus_magus::movegen::effects::{Effects, PlaneEffects};
use crate::games::ludus_magus::moves::Move;
use crate::games::ludus_magus::position::Position;

/// The moves of the pieces of one plane.
pub(crate) struct PlaneMoves {
    plane: Plane,
    /// For each of [`OFFSETS`], the pieces that can step, or make two steps that are named by their ends.
    go: [u128; 12],
    /// For each direction, the pieces that can capture with the first step of Terra's movement (LM-14).
    terra: [u128; 4],
    vacant: Origins,
}

impl PlaneMoves {
    /// Generates the moves of the seat to act, whose Magus stands on `magus`.
    #[inline(always)]
    pub(crate) fn of(position: &Position, effects: &Effects<'_>, magus: Place, plane: Plane) -> Self {
        let (seat, enemy) = (position.to_act, position.to_act.other());
        let field = position.board.field(plane);
        let own = field.of(seat);
        let helpers = field.kind_among(Kind::Codex, own) | field.kind_among(Kind::Famulus, own);
        // The Elements and the Magus.
        let capturers = own & !helpers;
        // No piece captures at a distance of more than two steps.
        let near = field.of(enemy) & (neighbours(capturers) | neighbours(neighbours(capturers)));
        let PlaneEffects { movers, protected } = if near == 0 {
            // Without targets only Aer's movement leads anywhere.
            PlaneEffects { movers: [effects.movers(seat, Kind::Aer, plane), 0, 0, 0], protected: 0 }
        } else {
            effects.on_plane(seat, plane)
        };
        let vacant = position.board.vacant(plane);
        let mut found = Self { plane, go: [0; 12], terra: [0; 4], vacant: Origins::of(vacant) };
        found.go_to_vacant(capturers, movers[0]);
        if helpers != 0 {
            found.help(helpers, vacant & adjacent(plane, magus));
        }
        // Enemies that a piece of another kind may capture (LM-7).
        let targets = near & !protected;
        if targets != 0 {
            Captures { field, own, targets, capturers, movers }
                .add_to(&mut found, field.of_kind(enemy, Kind::Magus));
        }
        found
    }

    /// Adds the moves without a capture (LM-10, LM-11, LM-17).
    #[inline(always)]
    fn go_to_vacant(&mut self, capturers: u128, aer: u128) {
        let vacant = &self.vacant;
        for one in SINGLE {
            self.go[one] = capturers & vacant.at(one);
        }
        for two in DOUBLE {
            // One of the two ways around a corner is enough (LM-50).
            self.go[two] = aer & vacant.of_first_step(two) & vacant.at(two);
        }
    }

    /// Adds the steps of Codex and Famulus (LM-18).
    #[inline(always)]
    fn help(&mut self, helpers: u128, vacant_near_magus: u128) {
        let near = Origins::of(vacant_near_magus);
        for one in SINGLE {
            self.go[one] |= helpers & near.at(one);
        }
    }

    /// Returns the number of moves.
    #[inline(always)]
    pub(crate) fn count(&self) -> u32 {
        let mut count = count_all(&self.go);
        self.each_terra(|_, _, from| count += from.count_ones());
        count
    }

    /// Visits every move.
    pub(crate) fn each(&self, mut tell: impl FnMut(Move)) {
        for (by, set) in OFFSETS.into_iter().zip(self.go) {
            places(self.plane, set).for_each(|from| tell(go(from, by)));
        }
        self.each_terra(|first, by, set| {
            places(self.plane, set).for_each(|from| tell(terra(from, first, by)));
        });
    }

    /// Returns the move at this index.
    pub(crate) fn nth(&self, before: u32) -> Option<Move> {
        let mut left = before;
        for (by, set) in OFFSETS.into_iter().zip(self.go) {
            let count = set.count_ones();
            if left < count {
                return places(self.plane, set).nth(left as usize).map(|from| go(from, by));
            }
            left -= count;
        }
        let mut found = None;
        self.each_terra(|first, by, set| {
            let count = set.count_ones();
            if found.is_none() && left < count {
                found = places(self.plane, set).nth(left as usize).map(|from| terra(from, first, by));
            }
            left = left.saturating_sub(count);
        });
        found
    }

    /// Visits Terra's movements: the shift of the first step, the shift of both, and the pieces that can make
    /// them.
    #[inline(always)]
    fn each_terra(&self, mut visit: impl FnMut(i8, i8, u128)) {
        if self.terra == [0; 4] {
            return;
        }
        for (one, two) in STEP_PAIRS {
            visit(OFFSETS[one], OFFSETS[two], self.terra[one] & self.vacant.at(two));
        }
    }
}

/// Returns the place at this shift.
const fn on(from: Place, by: i8) -> Place {
    Place::of_bit(from.plane(), from.bit().wrapping_add_signed(by))
}

const fn go(from: Place, by: i8) -> Move {
    Move::Go { from, to: on(from, by) }
}

const fn terra(from: Place, first: i8, by: i8) -> Move {
    Move::Terra { from, victim: on(from, first), to: on(from, by) }
}

/// The captures on one plane.
struct Captures<'a> {
    field: &'a Field,
    own: u128,
    targets: u128,
    capturers: u128,
    /// The Elements that may use the movement of each of [`Kind::MOVING`].
    movers: [u128; 4],
}

impl Captures<'_> {
    #[inline(always)]
    fn add_to(&self, found: &mut PlaneMoves, enemy_magus: u128) {
        let [_, aqua, ignis, terra] = self.movers;
        let targets = Origins::of(self.targets);
        // LM-10, LM-17.
        for one in SINGLE {
            found.go[one] |= self.unlike(self.capturers & targets.at(one), one);
        }
        if aqua | ignis != 0 {
            // LM-12, LM-13: Aqua moves over a friend, Ignis over a vacant place.
            let own = Origins::of(self.own);
            for two in DOUBLE {
                let strike = aqua & own.of_first_step(two) | ignis & found.vacant.of_first_step(two);
                found.go[two] |= self.unlike(strike & targets.at(two), two);
            }
        }
        let victims = self.targets & !enemy_magus;
        if terra & neighbours(victims) != 0 {
            let victims = Origins::of(victims);
            for one in SINGLE {
                found.terra[one] = self.unlike(terra & victims.at(one), one);
            }
        }
    }

    /// Returns the places from which the offset leads to a piece of another kind (LM-7).
    #[inline(always)]
    fn unlike(&self, from: u128, offset: usize) -> u128 {
        if from == 0 {
            return 0;
        }
        let [ones, twos, fours] = self.field.kinds;
        from & (ones ^ shifted_back(ones, offset)
            | twos ^ shifted_back(twos, offset)
            | fours ^ shifted_back(fours, offset))
    }
}
