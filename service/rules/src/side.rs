//! The two seats of a game as its rules know them, data that both have, and sets of them. Everything outside
//! the rules numbers seats instead, because a match may have more than two.

use core::ops::{Index, IndexMut};

/// One of the two seats of a game. Each game has its own names for its seats (rule G-1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// Seat 0.
    Zero,
    /// Seat 1.
    One,
}

impl Side {
    /// Both seats, seat 0 first.
    pub const ALL: [Self; 2] = [Self::Zero, Self::One];

    /// Returns the opponent's seat.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Zero => Self::One,
            Self::One => Self::Zero,
        }
    }

    /// Returns the seat's number in the rules, 0 or 1.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Self::Zero => 0,
            Self::One => 1,
        }
    }

    /// Returns the seat with this number, if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0 => Some(Self::Zero),
            1 => Some(Self::One),
            _ => None,
        }
    }
}

/// One `T` per seat, indexed by [`Side`] so that the two cannot be swapped by accident.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct BySide<T>([T; 2]);

impl<T> BySide<T> {
    /// Creates the pair from seat 0's and seat 1's value.
    pub const fn new(zero: T, one: T) -> Self {
        Self([zero, one])
    }

    /// Converts each seat's value.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> BySide<U> {
        BySide(self.0.map(change))
    }

    /// Returns each seat with its value, seat 0 first.
    pub fn iter(&self) -> impl Iterator<Item = (Side, &T)> {
        Side::ALL.into_iter().zip(&self.0)
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    fn index(&self, seat: Side) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, seat: Side) -> &mut T {
        &mut self.0[seat.index()]
    }
}

/// A set of seats, such as the seats to act.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sides(BySide<bool>);

impl Sides {
    /// The empty set.
    pub const NONE: Self = Self(BySide::new(false, false));
    /// Both seats.
    pub const BOTH: Self = Self(BySide::new(true, true));

    /// Returns the set of one seat.
    #[must_use]
    pub fn only(seat: Side) -> Self {
        let mut seats = Self::NONE;
        seats.insert(seat);
        seats
    }

    /// Returns whether the set has the seat.
    #[must_use]
    pub fn contains(self, seat: Side) -> bool {
        self.0[seat]
    }

    /// Adds the seat, if it is not there yet.
    pub fn insert(&mut self, seat: Side) {
        self.0[seat] = true;
    }

    /// Removes the seat, if it is there.
    pub fn remove(&mut self, seat: Side) {
        self.0[seat] = false;
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// Returns the seats, seat 0 first.
    pub fn iter(self) -> impl Iterator<Item = Side> {
        Side::ALL.into_iter().filter(move |&seat| self.contains(seat))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{BySide, Side, Sides};

    #[test]
    fn seats_and_their_numbers_agree() {
        assert_eq!(Side::ALL.map(Side::index), [0, 1]);
        assert_eq!([0, 1, 2].map(Side::from_index), [Some(Side::Zero), Some(Side::One), None]);
        assert_eq!(Side::ALL.map(Side::other), [Side::One, Side::Zero]);
    }

    #[test]
    fn by_seat_keeps_its_sides() {
        let mut pair = BySide::new(1, 2).map(|number| number * 10);
        pair[Side::One] += 1;
        assert_eq!(pair.iter().collect::<Vec<_>>(), [(Side::Zero, &10), (Side::One, &21)]);
    }

    #[test]
    fn seats_is_a_set() {
        let mut seats = Sides::only(Side::One);
        seats.insert(Side::One);
        assert_eq!(seats.iter().collect::<Vec<_>>(), [Side::One]);
        seats.insert(Side::Zero);
        assert_eq!(seats, Sides::BOTH);
        seats.remove(Side::One);
        seats.remove(Side::Zero);
        assert!(seats.is_empty() && !seats.contains(Side::Zero));
    }
}
