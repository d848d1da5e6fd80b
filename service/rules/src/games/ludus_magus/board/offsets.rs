//! The offsets of one or two steps on a plane. They are numbered: 0 to 3 are one step east, north, west and
//! south; 4 to 7 two steps in these directions; 8 to 11 two steps around a corner.

use crate::games::ludus_magus::board::place::ROW;

/// The bits by which each offset shifts a place.
pub(crate) const OFFSETS: [i8; 12] =
    [1, ROW, -1, -ROW, 2, 2 * ROW, -2, -2 * ROW, ROW + 1, 1 - ROW, ROW - 1, -ROW - 1];

/// The single-step offsets with which each offset can start: around a corner there are two, otherwise both
/// are the same.
const FIRST_STEPS: [[usize; 2]; 12] =
    [[0, 0], [1, 1], [2, 2], [3, 3], [0, 0], [1, 1], [2, 2], [3, 3], [0, 1], [0, 3], [2, 1], [2, 3]];

/// The offsets of one step.
pub(crate) const SINGLE: core::ops::Range<usize> = 0..4;
/// The offsets of two steps.
pub(crate) const DOUBLE: core::ops::Range<usize> = 4..12;

/// The origins of a set: for each offset, the places from which it leads into the set. Some bits may be off
/// the board.
pub(crate) struct Origins([u128; 12]);

impl Origins {
    #[inline(always)]
    pub(crate) const fn of(set: u128) -> Self {
        let [east, north, west, south] = shifts_back(set);
        Self([
            east,
            north,
            west,
            south,
            east >> 1,
            north >> ROW,
            west << 1,
            south << ROW,
            north >> 1,
            south >> 1,
            north << 1,
            south << 1,
        ])
    }

    /// Returns the places from which the offset leads into the set.
    #[inline(always)]
    pub(crate) const fn at(&self, offset: usize) -> u128 {
        self.0[offset]
    }

    /// Returns the places from which a first step of the offset leads into the set.
    #[inline(always)]
    pub(crate) const fn of_first_step(&self, offset: usize) -> u128 {
        let [one, other] = FIRST_STEPS[offset];
        self.0[one] | self.0[other]
    }
}

/// Returns the places from which one offset leads into the set.
#[inline(always)]
pub(crate) const fn shifted_back(set: u128, offset: usize) -> u128 {
    let by = OFFSETS[offset];
    if by >= 0 { set >> by } else { set << -by }
}

/// Returns the set shifted back by one step east, north, west and south.
#[inline(always)]
const fn shifts_back(set: u128) -> [u128; 4] {
    [set >> 1, set >> ROW, set << 1, set << ROW]
}

/// Returns the places one step from the set in any direction; some bits may be off the board.
#[inline(always)]
pub(crate) const fn neighbours(set: u128) -> u128 {
    let [east, north, west, south] = shifts_back(set);
    east | north | west | south
}

/// Each double-step offset with each single-step offset with which it can start.
pub(crate) const STEP_PAIRS: [(usize, usize); 12] =
    [(0, 4), (1, 5), (2, 6), (3, 7), (0, 8), (1, 8), (0, 9), (3, 9), (2, 10), (1, 10), (2, 11), (3, 11)];
