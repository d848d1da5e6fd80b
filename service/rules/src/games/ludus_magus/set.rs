//! Sets of places of one plane, a bit each in a 128-bit word, and what lies next to them (LM-2). Bit `10 * row + column`
//! is the same for a cell and for the point at its lower left corner.

use super::place::{Place, Plane, ROW};
use super::ways::around;

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

/// The octagonal neighbours on this plane of a set of places of the other plane; also bits that are no places.
#[inline(always)]
pub(super) const fn octagonal(plane: Plane, of: u128) -> u128 {
    match plane {
        Plane::Corporeal => {
            let pairs = of | of >> 1;
            pairs | pairs >> ROW
        }
        Plane::Astral => {
            let pairs = of | of << 1;
            pairs | pairs << ROW
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

/// The places of a set, row by row.
pub(super) fn places(plane: Plane, mut set: u128) -> impl Iterator<Item = Place> {
    core::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let bit = set.trailing_zeros();
        set &= set - 1;
        u8::try_from(bit).ok().map(|bit| Place::of_bit(plane, bit))
    })
}
