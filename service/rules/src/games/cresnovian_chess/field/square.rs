//! The 27 squares of the field, its regions, the 8 directions, and sets of squares (CC-1, CC-5).

use core::fmt;

const ROWS: u8 = 3;
const COLS: u8 = 9;
/// Number of squares.
pub(crate) const SQUARES: usize = 27;

/// A square of the field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// Every square: row 1 from left to right, then row 2, then row 3.
    pub(crate) const ALL: [Self; SQUARES] = {
        let mut all = [Self(0); SQUARES];
        let mut index = 0;
        while index < ROWS * COLS {
            all[index as usize] = Self(index);
            index += 1;
        }
        all
    };

    /// Returns the square in row 1 to 3 and column 1 to 9. `None` if it is off the field.
    #[must_use]
    pub fn new(row: u32, col: u32) -> Option<Self> {
        let on_field = (1..=u32::from(ROWS)).contains(&row) && (1..=u32::from(COLS)).contains(&col);
        on_field.then(|| Self::ALL[((row - 1) * u32::from(COLS) + col - 1) as usize])
    }

    /// Returns the row, from 1 at the top to 3.
    #[must_use]
    pub const fn row(self) -> u32 {
        (self.0 / COLS) as u32 + 1
    }

    /// Returns the column, from 1 at the left to 9.
    #[must_use]
    pub const fn col(self) -> u32 {
        (self.0 % COLS) as u32 + 1
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the adjacent square in that direction. `None` if it is off the field.
    pub(crate) const fn step(self, direction: Direction) -> Option<Self> {
        STEPS[self.0 as usize][direction as usize]
    }

    /// Returns the squares that a piece reaches from here in straight lines over these blank squares.
    pub(crate) fn slides(self, blanks: SquareSet) -> SquareSet {
        let rays = Direction::ALL.into_iter().map(|direction| self.ray_to_obstacle(direction, blanks));
        rays.fold(SquareSet::EMPTY, SquareSet::union)
    }

    /// Returns the squares in that direction up to the first one that is not blank.
    const fn ray_to_obstacle(self, direction: Direction, blanks: SquareSet) -> SquareSet {
        let ray = RAYS[self.0 as usize][direction as usize];
        let obstacles = ray.0 & !blanks.0;
        // In forward directions, nearer squares have lower bits than the lowest obstacle; in backward ones,
        // higher bits than the highest. Without an obstacle both masks have all bits.
        let nearer = if direction.is_forward() {
            (obstacles & obstacles.wrapping_neg()).wrapping_sub(1)
        } else {
            u32::MAX << (u32::BITS - obstacles.leading_zeros())
        };
        SquareSet(ray.0 & nearer)
    }

    /// Returns the up to 8 adjacent squares (CC-5).
    pub(crate) const fn neighbours(self) -> SquareSet {
        NEIGHBOURS[self.0 as usize]
    }

    /// Returns all squares of the same row.
    pub(crate) const fn whole_row(self) -> SquareSet {
        SquareSet(0o777 << (self.0 / COLS * COLS))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row(), self.col())
    }
}

/// The direction of a step; up is towards row 1, left towards column 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Towards row 1.
    Up,
    /// Towards row 1 and column 9.
    UpRight,
    /// Towards column 9.
    Right,
    /// Towards row 3 and column 9.
    DownRight,
    /// Towards row 3.
    Down,
    /// Towards row 3 and column 1.
    DownLeft,
    /// Towards column 1.
    Left,
    /// Towards row 1 and column 1.
    UpLeft,
}

impl Direction {
    /// All eight directions, clockwise from up.
    pub const ALL: [Self; 8] = [
        Self::Up,
        Self::UpRight,
        Self::Right,
        Self::DownRight,
        Self::Down,
        Self::DownLeft,
        Self::Left,
        Self::UpLeft,
    ];

    /// Returns whether a step leads to a later square in [`Square::ALL`].
    const fn is_forward(self) -> bool {
        matches!(self, Self::Right | Self::DownRight | Self::Down | Self::DownLeft)
    }

    /// Returns the one or two letters of the notation.
    pub(crate) const fn code(self) -> &'static str {
        ["u", "ur", "r", "dr", "d", "dl", "l", "ul"][self as usize]
    }

    /// Returns the direction in words.
    pub(crate) const fn name(self) -> &'static str {
        ["up", "up and right", "right", "down and right", "down", "down and left", "left", "up and left"]
            [self as usize]
    }
}

/// Row and column offsets of each direction, plus one, so that none is negative.
const OFFSETS: [(u8, u8); 8] = [(0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (0, 0)];

const STEPS: [[Option<Square>; 8]; SQUARES] = {
    let mut steps = [[None; 8]; SQUARES];
    let mut index = 0;
    while index < ROWS * COLS {
        let mut direction = 0;
        while direction < 8 {
            let (down, right) = OFFSETS[direction];
            let (row, col) = (index / COLS + down, index % COLS + right);
            if row >= 1 && row <= ROWS && col >= 1 && col <= COLS {
                steps[index as usize][direction] = Some(Square((row - 1) * COLS + col - 1));
            }
            direction += 1;
        }
        index += 1;
    }
    steps
};

/// All squares in each direction, up to the border.
const RAYS: [[SquareSet; 8]; SQUARES] = {
    let mut rays = [[SquareSet::EMPTY; 8]; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let mut direction = 0;
        while direction < 8 {
            let mut at = index;
            while let Some(next) = STEPS[at][direction] {
                rays[index][direction] = rays[index][direction].with(next);
                at = next.index();
            }
            direction += 1;
        }
        index += 1;
    }
    rays
};

const NEIGHBOURS: [SquareSet; SQUARES] = {
    let mut sets = [SquareSet::EMPTY; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let mut direction = 0;
        while direction < 8 {
            if let Some(square) = STEPS[index][direction] {
                sets[index] = sets[index].with(square);
            }
            direction += 1;
        }
        index += 1;
    }
    sets
};

/// One of the two regions that belong to a seat (CC-1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kingdom {
    /// Columns 1 to 3.
    Left,
    /// Columns 7 to 9.
    Right,
}

impl Kingdom {
    /// Both kingdoms, left first.
    pub const ALL: [Self; 2] = [Self::Left, Self::Right];

    /// Returns the opposite kingdom.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    pub(crate) const fn squares(self) -> SquareSet {
        match self {
            Self::Left => SquareSet(0o007_007_007),
            Self::Right => SquareSet(0o700_700_700),
        }
    }
}

/// The region between the kingdoms, columns 4 to 6.
pub(crate) const WORLD: SquareSet = SquareSet(0o070_070_070);

/// A bitboard of squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SquareSet(u32);

impl SquareSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// The whole field.
    pub(crate) const ALL: Self = Self((1 << SQUARES) - 1);

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of squares.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the set has the square.
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// Returns the set with the square added.
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square.0)
    }

    /// Returns the set without the square.
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !(1 << square.0))
    }

    /// Returns all other squares of the field.
    pub(crate) const fn complement(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }

    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the squares by row, then by column.
    pub fn iter(self) -> impl Iterator<Item = Square> + Clone {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            let square = *Square::ALL.get(rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(square)
        })
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}
