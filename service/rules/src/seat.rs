//! The two seats of a match, data that both have, and sets of seats.

use core::ops::{Index, IndexMut};

/// A seat of a match. Each game has its own names for its seats (rule G-1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// Seat 0.
    Zero,
    /// Seat 1.
    One,
}

impl Seat {
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

/// One `T` per seat, indexed by [`Seat`] so that the two cannot be swapped by accident.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct BySeat<T>([T; 2]);

impl<T> BySeat<T> {
    /// Creates the pair from seat 0's and seat 1's value.
    pub const fn new(zero: T, one: T) -> Self {
        Self([zero, one])
    }

    /// Converts each seat's value.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> BySeat<U> {
        BySeat(self.0.map(change))
    }

    /// Returns each seat with its value, seat 0 first.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        Seat::ALL.into_iter().zip(&self.0)
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

/// A set of seats, such as the seats to act.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Seats(BySeat<bool>);

impl Seats {
    /// The empty set.
    pub const NONE: Self = Self(BySeat::new(false, false));
    /// Both seats.
    pub const BOTH: Self = Self(BySeat::new(true, true));

    /// Returns the set of one seat.
    #[must_use]
    pub fn only(seat: Seat) -> Self {
        let mut seats = Self::NONE;
        seats.insert(seat);
        seats
    }

    /// Returns whether the set has the seat.
    #[must_use]
    pub fn contains(self, seat: Seat) -> bool {
        self.0[seat]
    }

    /// Adds the seat, if it is not there yet.
    pub fn insert(&mut self, seat: Seat) {
        self.0[seat] = true;
    }

    /// Removes the seat, if it is there.
    pub fn remove(&mut self, seat: Seat) {
        self.0[seat] = false;
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// Returns the seats, seat 0 first.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::ALL.into_iter().filter(move |&seat| self.contains(seat))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{BySeat, Seat, Seats};

    #[test]
    fn seats_and_their_numbers_agree() {
        assert_eq!(Seat::ALL.map(Seat::index), [0, 1]);
        assert_eq!([0, 1, 2].map(Seat::from_index), [Some(Seat::Zero), Some(Seat::One), None]);
        assert_eq!(Seat::ALL.map(Seat::other), [Seat::One, Seat::Zero]);
    }

    #[test]
    fn by_seat_keeps_its_sides() {
        let mut pair = BySeat::new(1, 2).map(|number| number * 10);
        pair[Seat::One] += 1;
        assert_eq!(pair.iter().collect::<Vec<_>>(), [(Seat::Zero, &10), (Seat::One, &21)]);
    }

    #[test]
    fn seats_is_a_set() {
        let mut seats = Seats::only(Seat::One);
        seats.insert(Seat::One);
        assert_eq!(seats.iter().collect::<Vec<_>>(), [Seat::One]);
        seats.insert(Seat::Zero);
        assert_eq!(seats, Seats::BOTH);
        seats.remove(Seat::One);
        seats.remove(Seat::Zero);
        assert!(seats.is_empty() && !seats.contains(Seat::Zero));
    }
}
