//! Where the pieces of the seat to act can go, for all pieces of a plane at once: a set of destinations for each way to
//! go. The listing of moves and their bulk count both come from here; `check` judges a single move on its own.

use alloc::vec::Vec;

use super::board::Field;
use super::effects::Effects;
use super::moves::Move;
use super::piece::Kind;
use super::place::{Place, Plane};
use super::position::Position;
use super::set::{EAST, NORTH, SOUTH, WEST, adjacent, around, bits, moved, places};

/// How a set of destinations is reached. Bits are counted from the origin.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// In one or two steps that end `by` bits further.
    Go { by: i8 },
    /// By a capture `first` bits further, then a step of `then` bits.
    Terra { first: i8, then: i8 },
}

/// What there is to go over or onto on one plane.
struct Reach<'a> {
    plane: Plane,
    field: &'a Field,
    vacant: u128,
    own: u128,
    /// Enemies that may be captured by what is of another kind (LM-7). Empty as well where no enemy is near.
    prey: u128,
    prey_for_terra: u128,
    /// Elements and the Magus.
    men: u128,
    /// Codex and Famulus, and where they may go (LM-18).
    helpers: u128,
    near_magus: u128,
    /// Who may use the movement of each of [`Kind::MOVING`].
    movers: [u128; 4],
}

impl<'a> Reach<'a> {
    #[inline]
    fn of(position: &'a Position, effects: &Effects<'_>, magus: Place, plane: Plane) -> Self {
        let (seat, enemy) = (position.to_act, position.to_act.other());
        let field = position.board.field(plane);
        let own = field.of(seat);
        let helpers = field.of_kind(seat, Kind::Codex) | field.of_kind(seat, Kind::Famulus);
        let men = own & !helpers;
        // Two steps are the most that anything captures at.
        let near = field.of(enemy) & (around(men) | around(around(men)));
        let prey = if near == 0 { 0 } else { near & !effects.protected(enemy, plane, near) };
        let as_kind = |kind| effects.movers(seat, kind, plane);
        // Without prey only Aer has anywhere to go.
        let movers = if prey == 0 {
            [as_kind(Kind::Aer), 0, 0, 0]
        } else {
            [as_kind(Kind::Aer), as_kind(Kind::Aqua), as_kind(Kind::Ignis), as_kind(Kind::Terra)]
        };
        Self {
            plane,
            field,
            vacant: position.board.vacant(plane),
            own,
            prey,
            prey_for_terra: prey & !field.of_kind(enemy, Kind::Magus),
            men,
            helpers,
            near_magus: if helpers == 0 { 0 } else { adjacent(plane, magus) },
            movers,
        }
    }

    #[inline]
    fn visit(&self, visit: &mut impl FnMut(Plane, Way, u128)) {
        self.step::<EAST>(visit);
        self.step::<NORTH>(visit);
        self.step::<WEST>(visit);
        self.step::<SOUTH>(visit);
        let [aer, aqua, ignis, terra] = self.movers;
        if aer | aqua | ignis != 0 {
            let [east, north, west, south] =
                [self.first::<EAST>(), self.first::<NORTH>(), self.first::<WEST>(), self.first::<SOUTH>()];
            self.straight::<EAST>(east, visit);
            self.straight::<NORTH>(north, visit);
            self.straight::<WEST>(west, visit);
            self.straight::<SOUTH>(south, visit);
            self.corner::<EAST, NORTH>(east, north, visit);
            self.corner::<EAST, SOUTH>(east, south, visit);
            self.corner::<WEST, NORTH>(west, north, visit);
            self.corner::<WEST, SOUTH>(west, south, visit);
        }
        if terra & around(self.prey_for_terra) != 0 {
            self.terra::<EAST>(visit);
            self.terra::<NORTH>(visit);
            self.terra::<WEST>(visit);
            self.terra::<SOUTH>(visit);
        }
    }

    /// LM-10, LM-17, LM-18.
    #[inline(always)]
    fn step<const D: i8>(&self, visit: &mut impl FnMut(Plane, Way, u128)) {
        let men = moved::<D>(self.men);
        let mut to = men & self.vacant | moved::<D>(self.helpers) & self.vacant & self.near_magus;
        let prey = men & self.prey;
        if prey != 0 {
            to |= prey & unlike(self.field.kinds, self.field.kinds.map(moved::<D>));
        }
        visit(self.plane, Way::Go { by: D }, to);
    }

    /// The first steps of the movements that are named by their ends.
    #[inline(always)]
    fn first<const D: i8>(&self) -> First {
        let [aer, aqua, ignis, _] = self.movers;
        First {
            of_aer: moved::<D>(aer) & self.vacant,
            // Aqua goes over a friend, Ignis over nothing.
            of_strike: moved::<D>(aqua) & self.own | moved::<D>(ignis) & self.vacant,
        }
    }

    /// LM-11, LM-12 and LM-13 with both steps in one direction.
    #[inline(always)]
    fn straight<const D: i8>(&self, first: First, visit: &mut impl FnMut(Plane, Way, u128)) {
        let mut to = moved::<D>(first.of_aer) & self.vacant;
        let prey = moved::<D>(first.of_strike) & self.prey;
        if prey != 0 {
            to |= prey & unlike(self.field.kinds, self.field.kinds.map(|kind| moved::<D>(moved::<D>(kind))));
        }
        visit(self.plane, Way::Go { by: D + D }, to);
    }

    /// LM-11, LM-12 and LM-13 round a corner; of the two ways there one is enough (LM-50).
    #[inline(always)]
    fn corner<const D: i8, const E: i8>(
        &self,
        one: First,
        other: First,
        visit: &mut impl FnMut(Plane, Way, u128),
    ) {
        let mut to = (moved::<E>(one.of_aer) | moved::<D>(other.of_aer)) & self.vacant;
        let prey = (moved::<E>(one.of_strike) | moved::<D>(other.of_strike)) & self.prey;
        if prey != 0 {
            to |= prey & unlike(self.field.kinds, self.field.kinds.map(|kind| moved::<E>(moved::<D>(kind))));
        }
        visit(self.plane, Way::Go { by: D + E }, to);
    }

    /// LM-14 with this direction first.
    #[inline(always)]
    fn terra<const D: i8>(&self, visit: &mut impl FnMut(Plane, Way, u128)) {
        let [.., terra] = self.movers;
        let prey = moved::<D>(terra) & self.prey_for_terra;
        if prey == 0 {
            return;
        }
        let victims = prey & unlike(self.field.kinds, self.field.kinds.map(moved::<D>));
        // Back to the start is never vacant: the mover still stands there.
        visit(self.plane, Way::Terra { first: D, then: EAST }, moved::<EAST>(victims) & self.vacant);
        visit(self.plane, Way::Terra { first: D, then: NORTH }, moved::<NORTH>(victims) & self.vacant);
        visit(self.plane, Way::Terra { first: D, then: WEST }, moved::<WEST>(victims) & self.vacant);
        visit(self.plane, Way::Terra { first: D, then: SOUTH }, moved::<SOUTH>(victims) & self.vacant);
    }
}

/// Where the pieces stand after the first of two steps in one direction.
#[derive(Clone, Copy)]
struct First {
    of_aer: u128,
    of_strike: u128,
}

/// The places where the two differ in kind.
#[inline(always)]
fn unlike(here: [u128; 3], there: [u128; 3]) -> u128 {
    (here[0] ^ there[0]) | (here[1] ^ there[1]) | (here[2] ^ there[2])
}

/// What the Magus can do besides stepping (LM-19, LM-31, LM-32).
pub(super) struct Arts {
    /// Whether it can swap with the Famulus.
    pub(super) swaps: bool,
    /// The vacant places beside it, if it can conjure; any of four kinds on each.
    pub(super) conjured_to: u128,
    /// The Elements that it can summon, on the plane where it is not.
    pub(super) summoned_from: u128,
    /// The vacant places beside it, if it can summon.
    pub(super) summoned_to: u128,
}

/// Suppression and negation do not touch them (LM-33).
pub(super) fn arts(position: &Position, magus: Place) -> Arts {
    let (seat, board) = (position.to_act, &position.board);
    let (here, there) = (magus.plane(), magus.plane().other());
    let (beside, octagonal) = (adjacent(here, magus), adjacent(there, magus));
    let is_adjacent = |kind| {
        board.field(here).of_kind(seat, kind) & beside | board.field(there).of_kind(seat, kind) & octagonal
    } != 0;
    let vacant = beside & board.vacant(here);
    let aethers = board.field(there).of_kind(seat, Kind::Aether) & octagonal;
    let summoned_from =
        if aethers == 0 { 0 } else { board.field(there).elements(seat) & octagonal & !aethers };
    Arts {
        swaps: is_adjacent(Kind::Famulus),
        conjured_to: if position.mana[seat] > 0 && is_adjacent(Kind::Codex) { vacant } else { 0 },
        summoned_from,
        summoned_to: if summoned_from == 0 { 0 } else { vacant },
    }
}

/// Every way to go of the seat to act, with its destinations.
#[inline]
fn visit_ways(position: &Position, magus: Place, mut visit: impl FnMut(Plane, Way, u128)) {
    let effects = Effects::of(&position.board);
    for plane in Plane::ALL {
        Reach::of(position, &effects, magus, plane).visit(&mut visit);
    }
}

/// How many moves the seat to act has.
pub(super) fn count(position: &Position) -> u32 {
    let Some(magus) = position.magus(position.to_act) else { return 0 };
    let arts = arts(position, magus);
    let mut count = u32::from(arts.swaps)
        + 4 * arts.conjured_to.count_ones()
        + arts.summoned_from.count_ones() * arts.summoned_to.count_ones();
    visit_ways(position, magus, |_, _, to| count += to.count_ones());
    count
}

/// Whether the seat to act has a move.
pub(super) fn has_move(position: &Position) -> bool {
    // Nearly always something can step aside.
    let steps = |plane| {
        let field = position.board.field(plane);
        around(field.elements(position.to_act)) & position.board.vacant(plane) != 0
    };
    Plane::ALL.into_iter().any(steps) || count(position) > 0
}

/// Every move of the seat to act: by plane and direction, then what the Magus does.
pub(super) fn moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::with_capacity(64);
    let Some(magus) = position.magus(position.to_act) else { return moves };
    visit_ways(position, magus, |plane, way, to| moves.extend(bits(to).map(|bit| way.to(plane, bit))));
    arts_moves(magus, &arts(position, magus), &mut moves);
    moves
}

/// One of the moves of the seat to act, if it has any. The choice is between 0 and their number less one, in the order of
/// [`moves`], of which only one is made out of its set.
pub(super) fn pick(position: &Position, choose: impl FnOnce(u32) -> u32) -> Option<Move> {
    let magus = position.magus(position.to_act)?;
    let mut ways = Vec::with_capacity(32);
    let mut count = 0;
    visit_ways(position, magus, |plane, way, to| {
        if to != 0 {
            ways.push((plane, way, to));
            count += to.count_ones();
        }
    });
    let mut rest = Vec::new();
    arts_moves(magus, &arts(position, magus), &mut rest);
    let total = count + u32::try_from(rest.len()).unwrap_or(u32::MAX - count);
    if total == 0 {
        return None;
    }
    let mut chosen = choose(total);
    for (plane, way, to) in ways {
        let here = to.count_ones();
        if chosen < here {
            return bits(to).nth(chosen as usize).map(|bit| way.to(plane, bit));
        }
        chosen -= here;
    }
    rest.get(chosen as usize).copied()
}

impl Way {
    /// The move that ends at this bit.
    fn to(self, plane: Plane, bit: u8) -> Move {
        let before = |by: i8| Place::of_bit(plane, bit.wrapping_sub_signed(by));
        let to = Place::of_bit(plane, bit);
        match self {
            Self::Go { by } => Move::Go { from: before(by), to },
            Self::Terra { first, then } => {
                Move::Terra { from: before(first + then), victim: before(then), to }
            }
        }
    }
}

fn arts_moves(magus: Place, arts: &Arts, moves: &mut Vec<Move>) {
    let (here, there) = (magus.plane(), magus.plane().other());
    if arts.swaps {
        moves.push(Move::Swap);
    }
    for to in places(here, arts.conjured_to) {
        moves.extend(Kind::MOVING.map(|kind| Move::Conjure { kind, to }));
    }
    for from in places(there, arts.summoned_from) {
        moves.extend(places(here, arts.summoned_to).map(|to| Move::Summon { from, to }));
    }
}
