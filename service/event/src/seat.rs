//! The seats of a match, data that each of them has, and sets of seats.

use std::fmt;
use std::ops::{Index, IndexMut};

/// Maximum number of seats of a match.
pub const MAX_SEATS: usize = 8;

/// A seat of a match, by its number: 0 to 7. Whether a match has that many seats is the match's affair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u8);

impl Seat {
    /// Every seat that a match can have, seat 0 first.
    pub const ALL: [Self; MAX_SEATS] =
        [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// Returns the seat with this number, or `None` if no match has that many seats.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// Returns the seat's number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the seat's number as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0.into()
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One `T` for each seat of a match: 1 to 8 values, seat 0's first. Indexing it by a seat that the match does
/// not have panics, so a seat that comes from outside is looked up with `get`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BySeat<T>(Vec<T>);

impl<T> BySeat<T> {
    /// Creates a value for each of this many seats. The number is brought into the range 1 to [`MAX_SEATS`].
    pub fn from_fn(count: usize, value: impl FnMut(Seat) -> T) -> Self {
        Self(Seat::ALL.into_iter().take(count.max(1)).map(value).collect())
    }

    /// Creates the collection of these values, seat 0's first. Returns `None` unless there are 1 to
    /// [`MAX_SEATS`].
    pub fn from_values(values: Vec<T>) -> Option<Self> {
        (1..=MAX_SEATS).contains(&values.len()).then_some(Self(values))
    }

    /// Returns the number of seats.
    #[expect(clippy::len_without_is_empty, reason = "a match has at least one seat")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the seats, seat 0 first.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<T> {
        Seat::ALL.into_iter().take(self.len())
    }

    /// Returns a seat's value, or `None` if the match does not have the seat.
    pub fn get(&self, seat: Seat) -> Option<&T> {
        self.0.get(seat.index())
    }

    /// Returns a seat's value, or `None` if the match does not have the seat.
    pub fn get_mut(&mut self, seat: Seat) -> Option<&mut T> {
        self.0.get_mut(seat.index())
    }

    /// Returns each seat with its value, seat 0 first.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        Seat::ALL.into_iter().zip(&self.0)
    }

    /// Converts each seat's value.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> BySeat<U> {
        BySeat(self.0.into_iter().map(change).collect())
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
pub struct Seats(u8);

impl Seats {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Returns the set of one seat.
    #[must_use]
    pub fn only(seat: Seat) -> Self {
        Self(1 << seat.0)
    }

    /// Returns the set as bits: bit n stands for seat n.
    #[must_use]
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Returns whether the set has the seat.
    #[must_use]
    pub fn contains(self, seat: Seat) -> bool {
        self.0 & Self::only(seat).0 != 0
    }

    /// Adds the seat. Returns whether it was absent.
    pub fn insert(&mut self, seat: Seat) -> bool {
        let is_new = !self.contains(seat);
        self.0 |= Self::only(seat).0;
        is_new
    }

    /// Returns the seats of this set that the other one does not have.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the number of seats in the set.
    #[must_use]
    pub fn len(self) -> usize {
        self.iter().count()
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// Returns the seats in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::ALL.into_iter().filter(move |&seat| self.contains(seat))
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        let mut set = Self::NONE;
        for seat in seats {
            set.insert(seat);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_have_the_numbers_0_to_7() {
        assert_eq!(Seat::ALL.map(Seat::index), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(Seat::ALL.map(|seat| Seat::from_number(seat.number().into())), Seat::ALL.map(Some));
        assert_eq!([8, 255, 256, u32::MAX].map(Seat::from_number), [None; 4]);
        assert_eq!(Seat::ALL[7].to_string(), "7");
    }

    #[test]
    fn a_match_has_1_to_8_seats() {
        assert_eq!([0, 1, 3, 8, 9].map(|count| BySeat::from_fn(count, |_| ()).len()), [1, 1, 3, 8, 8]);
        let lengths = [0, 1, 8, 9].map(|count| BySeat::from_values(vec![(); count]).map(|all| all.len()));
        assert_eq!(lengths, [None, Some(1), Some(8), None]);
    }

    #[test]
    fn each_seat_has_its_own_value() {
        let [first, _, third, fourth, ..] = Seat::ALL;
        let mut all = BySeat::from_fn(3, Seat::number).map(|number| number * 10);
        all[third] += 1;
        assert_eq!(
            all.iter().map(|(seat, value)| (seat.number(), *value)).collect::<Vec<_>>(),
            [(0, 0), (1, 10), (2, 21)]
        );
        assert_eq!((all.get(first), all.get(fourth)), (Some(&0), None));
        assert_eq!((all.get_mut(third).copied(), all.get_mut(fourth)), (Some(21), None));
        assert!(all.seats().eq([first, Seat::ALL[1], third]));
    }

    #[test]
    fn seats_are_a_set() {
        let [first, _, third, ..] = Seat::ALL;
        let mut seats = Seats::only(third);
        assert!(!seats.insert(third) && seats.insert(first));
        assert_eq!(seats.iter().collect::<Vec<_>>(), [first, third]);
        assert!(seats.bits() == 0b101 && !seats.is_empty());
        assert_eq!((seats.len(), seats.without(Seats::only(first))), (2, Seats::only(third)));
        assert_eq!(Seat::ALL.into_iter().collect::<Seats>().len(), MAX_SEATS);
        assert!(seats.without(seats).is_empty() && !seats.contains(Seat::ALL[1]));
    }
}
