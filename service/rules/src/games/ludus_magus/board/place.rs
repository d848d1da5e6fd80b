//! Places on the two planes and their notation: cells `a1` to `h8`, points `0,0` to `8,8` (LM-1, LM-2).

use alloc::format;
use alloc::string::String;
use core::fmt;

/// One of the two boards (LM-1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Plane {
    /// The 8 x 8 cells.
    Corporeal,
    /// The 9 x 9 corners of the cells.
    Astral,
}

impl Plane {
    /// Both planes.
    pub const ALL: [Self; 2] = [Self::Corporeal, Self::Astral];

    /// Returns the other plane, which holds all octagonal neighbours of this one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Corporeal => Self::Astral,
            Self::Astral => Self::Corporeal,
        }
    }

    /// Returns the number of places along a side.
    const fn side(self) -> u32 {
        match self {
            Self::Corporeal => 8,
            Self::Astral => 9,
        }
    }
}

/// A cell or a point that exists. Cells come before points, both row by row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    plane: Plane,
    /// The bit in a bitboard of the plane: ten times the row, plus the column.
    bit: u8,
}

/// Bits per row: one more than the longest row, so that a step over a side hits no place.
pub(crate) const ROW: i8 = 10;

impl Place {
    /// Returns the cell of file x and rank y, both from 0. `None` if it is off the board.
    #[must_use]
    pub fn cell(x: u32, y: u32) -> Option<Self> {
        Self::new(Plane::Corporeal, x, y)
    }

    /// Returns the point (i,j), both from 0. `None` if it is off the board.
    #[must_use]
    pub fn point(i: u32, j: u32) -> Option<Self> {
        Self::new(Plane::Astral, i, j)
    }

    fn new(plane: Plane, col: u32, row: u32) -> Option<Self> {
        if col >= plane.side() || row >= plane.side() {
            return None;
        }
        let bit = u8::try_from(10 * row + col).ok()?;
        Some(Self { plane, bit })
    }

    /// Returns the place of a bit that was taken from a bitboard of the plane.
    pub(crate) const fn of_bit(plane: Plane, bit: u8) -> Self {
        Self { plane, bit }
    }

    pub(crate) const fn bit(self) -> u8 {
        self.bit
    }

    /// Returns the bitboard of this place alone.
    pub(crate) const fn bitboard(self) -> u128 {
        1 << self.bit
    }

    /// Returns the plane.
    #[must_use]
    pub const fn plane(self) -> Plane {
        self.plane
    }

    /// Returns file x of a cell or i of a point, from 0.
    #[must_use]
    pub const fn col(self) -> u32 {
        (self.bit % 10) as u32
    }

    /// Returns rank y of a cell or j of a point, from 0.
    #[must_use]
    pub const fn row(self) -> u32 {
        (self.bit / 10) as u32
    }

    /// Returns the place after half a turn of the board.
    #[must_use]
    pub fn turned(self) -> Self {
        let last = self.plane.side() - 1;
        Self::new(self.plane, last - self.col(), last - self.row()).expect("half a turn keeps to the board")
    }

    /// Returns the distance in orthogonal steps. `None` if the places lie on different planes.
    pub(crate) const fn distance(self, other: Self) -> Option<u32> {
        match (self.plane, other.plane) {
            (Plane::Corporeal, Plane::Corporeal) | (Plane::Astral, Plane::Astral) => {
                Some(self.col().abs_diff(other.col()) + self.row().abs_diff(other.row()))
            }
            (Plane::Corporeal, Plane::Astral) | (Plane::Astral, Plane::Corporeal) => None,
        }
    }

    /// Returns every place, cells first.
    pub fn all() -> impl Iterator<Item = Self> {
        Plane::ALL.into_iter().flat_map(|plane| {
            let side = plane.side();
            (0..side).flat_map(move |row| (0..side).filter_map(move |col| Self::new(plane, col, row)))
        })
    }

    /// Parses a place; the notation is exact.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Self::cell((file - b'a').into(), (rank - b'1').into())
            }
            [i @ b'0'..=b'8', b',', j @ b'0'..=b'8'] => Self::point((i - b'0').into(), (j - b'0').into()),
            _ => None,
        }
    }

    /// Returns the notation.
    pub(crate) fn print(self) -> String {
        format!("{self}")
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plane {
            Plane::Corporeal => {
                let file = char::from(b'a' + self.bit % 10);
                write!(f, "{file}{}", self.row() + 1)
            }
            Plane::Astral => write!(f, "{},{}", self.col(), self.row()),
        }
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
