//! Sets of places of one plane, a bit each in a 128-bit word, and what lies next to them (LM-2). Bit `10 * row + column`
//! is the same for a cell and for the point at its lower left corner.

use super::place::{Place, Plane, ROW};

/// Towards higher columns.
pub(super) const EAST: i8 = 1;
/// Towards higher rows.
pub(super) const NORTH: i8 = ROW;
/// Towards lower columns.
pub(super) const WEST: i8 = -EAST;
/// Towards lower rows.
pub(super) const SOUTH: i8 = -NORTH;

const CELLS: u128 = rows_of(8);
const POINTS: u128 = rows_of(9);

const fn rows_of(side: u32) -> u128 {
    let mut set = 0;
    let mut row = 0;
    while row < side {
        set |= ((1 << side) - 1) << (10 * row);
        row += 1;
    }
    set
}

/// Every place of the plane.
pub(super) const fn whole(plane: Plane) -> u128 {
    match plane {
        Plane::Corporeal => CELLS,
        Plane::Astral => POINTS,
    }
}

/// The set moved by `BY` bits. What leaves the plane lies in bits that are no places of it.
#[inline(always)]
pub(super) const fn moved<const BY: i8>(set: u128) -> u128 {
    if BY >= 0 { set << BY } else { set >> -BY }
}

/// One step from the set in each direction; also bits that are no places.
#[inline(always)]
pub(super) const fn around(set: u128) -> u128 {
    set << EAST | set >> EAST | set << NORTH | set >> NORTH
}

/// The octagonal neighbours on this plane of a set of places of the other plane; also bits that are no places.
#[inline(always)]
pub(super) const fn octagonal(plane: Plane, of: u128) -> u128 {
    match plane {
        Plane::Corporeal => {
            let pairs = of | of >> EAST;
            pairs | pairs >> NORTH
        }
        Plane::Astral => {
            let pairs = of | of << EAST;
            pairs | pairs << NORTH
        }
    }
}

/// The places adjacent to one place, on this plane (LM-2).
pub(super) const fn adjacent(plane: Plane, to: Place) -> u128 {
    let near = match (plane, to.plane()) {
        (Plane::Corporeal, Plane::Corporeal) | (Plane::Astral, Plane::Astral) => around(to.alone()),
        (Plane::Corporeal, Plane::Astral) | (Plane::Astral, Plane::Corporeal) => octagonal(plane, to.alone()),
    };
    near & whole(plane)
}

/// The bits of a set, from low to high.
pub(super) fn bits(mut set: u128) -> impl Iterator<Item = u8> {
    core::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let bit = set.trailing_zeros();
        set &= set - 1;
        u8::try_from(bit).ok()
    })
}

/// The places of a set, row by row.
pub(super) fn places(plane: Plane, set: u128) -> impl Iterator<Item = Place> {
    bits(set).map(move |bit| Place::of_bit(plane, bit))
}
