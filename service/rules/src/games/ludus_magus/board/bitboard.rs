//! Bitboards of places on one plane, in 128-bit words, and adjacency (LM-2). Bit `10 * row + column` is the
//! same for a cell and for the point at its lower left corner.

use crate::games::ludus_magus::board::offsets::neighbours;
use crate::games::ludus_magus::board::place::{Place, Plane, ROW};

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

/// Returns every place of the plane.
pub(crate) const fn all_places(plane: Plane) -> u128 {
    match plane {
        Plane::Corporeal => CELLS,
        Plane::Astral => POINTS,
    }
}

/// Returns the octagonal neighbours on this plane of places on the other plane; some bits may be off the
/// board.
#[inline(always)]
pub(crate) const fn octagonal(plane: Plane, of: u128) -> u128 {
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

/// Returns the places on this plane that are adjacent to a place of either plane (LM-2).
pub(crate) const fn adjacent(plane: Plane, to: Place) -> u128 {
    let near = match (plane, to.plane()) {
        (Plane::Corporeal, Plane::Corporeal) | (Plane::Astral, Plane::Astral) => neighbours(to.bitboard()),
        (Plane::Corporeal, Plane::Astral) | (Plane::Astral, Plane::Corporeal) => {
            octagonal(plane, to.bitboard())
        }
    };
    near & all_places(plane)
}

/// Returns the number of places in twelve sets together. A carry-save adder reduces the sets to four before
/// they are counted, because population counts are slow on processors without an instruction for them.
#[inline(always)]
pub(crate) const fn count_all(sets: &[u128; 12]) -> u32 {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = *sets;
    let ((one_a, two_a), (one_b, two_b)) = (add(a, b, c), add(d, e, f));
    let ((one_c, two_c), (one_d, two_d)) = (add(g, h, i), add(j, k, l));
    let (one_e, two_e) = add(one_a, one_b, one_c);
    let (ones, two_f) = add(one_d, one_e, 0);
    let ((two_g, four_a), (two_h, four_b)) = (add(two_a, two_b, two_c), add(two_d, two_e, two_f));
    let (twos, four_c) = add(two_g, two_h, 0);
    let (fours, eights) = add(four_a, four_b, four_c);
    ones.count_ones() + 2 * twos.count_ones() + 4 * fours.count_ones() + 8 * eights.count_ones()
}

/// Adds three bits per place; returns sums and carries.
#[inline(always)]
const fn add(a: u128, b: u128, c: u128) -> (u128, u128) {
    (a ^ b ^ c, a & b | (a ^ b) & c)
}

/// Returns the places of a set, row by row.
pub(crate) fn places(plane: Plane, mut set: u128) -> impl Iterator<Item = Place> {
    core::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let bit = set.trailing_zeros();
        set &= set - 1;
        u8::try_from(bit).ok().map(|bit| Place::of_bit(plane, bit))
    })
}
