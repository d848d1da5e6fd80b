//! Positions and names of the places on both planes.

use wire::games::ludus_magus::v1 as game;
use wire::games::ludus_magus::v1::place::Place as On;

/// Distance between neighbouring cells, and between neighbouring points.
pub(super) const STEP: i32 = 52;

/// A place on one of the planes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    /// A cell of the Corporeal Plane.
    Cell(i32, i32),
    /// A point of the Astral Plane.
    Point(i32, i32),
}

impl Spot {
    /// Converts a message; `None` if the place does not exist.
    pub(super) fn of(place: &game::Place) -> Option<Self> {
        let (along, up, last, is_cell) = match place.place.as_ref()? {
            On::Cell(cell) => (cell.x, cell.y, 7, true),
            On::Point(point) => (point.i, point.j, 8, false),
        };
        let number = |number: u32| i32::try_from(number).ok().filter(|number| *number <= last);
        let (along, up) = (number(along)?, number(up)?);
        Some(if is_cell { Self::Cell(along, up) } else { Self::Point(along, up) })
    }

    /// Returns all cells, rank by rank.
    pub(super) fn cells() -> impl Iterator<Item = Self> {
        (0..8).flat_map(|y| (0..8).map(move |x| Self::Cell(x, y)))
    }

    /// Returns all points, row by row.
    pub(super) fn points() -> impl Iterator<Item = Self> {
        (0..9).flat_map(|j| (0..9).map(move |i| Self::Point(i, j)))
    }

    /// Returns the place in notation.
    pub(super) fn name(self) -> String {
        match self {
            Self::Cell(x, y) => {
                let file = ('a'..='h').nth(usize::try_from(x).unwrap_or(0)).unwrap_or('?');
                format!("{file}{}", y + 1)
            }
            Self::Point(i, j) => format!("{i},{j}"),
        }
    }
}

/// The geometry of both planes as seen from one edge.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boards {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) near: u32,
}

impl Boards {
    /// Returns the centre of a place.
    pub(super) fn middle(self, spot: Spot) -> (i32, i32) {
        match spot {
            Spot::Cell(x, y) => {
                let (right, down) = self.rotate(x, y, 7);
                (self.left + right * STEP + STEP / 2, self.top + down * STEP + STEP / 2)
            }
            Spot::Point(i, j) => {
                let (right, down) = self.rotate(i, j, 8);
                (self.left + right * STEP, self.top + down * STEP)
            }
        }
    }

    /// Returns the steps right and down from the upper left corner.
    fn rotate(self, along: i32, up: i32, last: i32) -> (i32, i32) {
        match self.near {
            1 => (last - along, up),
            _ => (along, last - up),
        }
    }
}
