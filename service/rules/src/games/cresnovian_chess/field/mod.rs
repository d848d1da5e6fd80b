//! The field: pieces, monuments, the one word; and the poem, which a rewind restores with them.

pub(super) mod poem;
pub(super) mod square;
pub(super) mod umbration;

use crate::games::cresnovian_chess::field::poem::{Poem, Word};
use crate::games::cresnovian_chess::field::square::{SQUARES, Square, SquareSet};
use crate::games::cresnovian_chess::field::umbration::{PieceSet, Umbration};

/// The Q of a piece when it is placed, and of an eternal piece forever (CC-10, CC-33).
pub(crate) const FOUNDATION_Q: u32 = 3;

/// The foundation squares (CC-10), in the order of the placement questions.
pub(crate) const FOUNDATION: [(u32, u32); 9] =
    [(1, 1), (1, 9), (2, 1), (2, 9), (3, 1), (3, 4), (3, 5), (3, 6), (3, 9)];

/// Returns the set of the foundation squares.
pub(crate) fn foundation() -> SquareSet {
    FOUNDATION.into_iter().filter_map(|(row, col)| Square::new(row, col)).collect()
}

/// Whether a piece is broken or eternal; it cannot be both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// Neither broken nor eternal.
    Whole,
    /// It can only perform Repair and gains nothing by travel (CC-22, CC-32).
    Broken,
    /// Its Q stays 3 (CC-33).
    Eternal,
}

/// The Q and status of a piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Condition {
    /// The Q; a piece with 0 is dead.
    pub q: u32,
    /// Whether it is broken or eternal.
    pub status: Status,
}

/// A piece on the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Which of the nine pieces it is.
    pub umbration: Umbration,
    /// Its square.
    pub square: Square,
    /// The square on which it was placed (CC-10).
    pub home: Square,
    /// Its Q and status.
    pub condition: Condition,
}

/// What a square holds (CC-3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Thing {
    Blank,
    Piece(Umbration),
    Monument(Umbration),
    Word,
}

/// Pieces, monuments, word and poem: all that a rewind restores (CC-46).
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Field {
    /// Indexed by umbration.
    pieces: [Piece; 9],
    things: [Thing; SQUARES],
    blanks: SquareSet,
    monuments: SquareSet,
    word: Option<(Square, Word)>,
    pub(crate) poem: Poem,
}

impl Field {
    /// Returns the field after the placement; `squares` is indexed by umbration and has no duplicates
    /// (CC-10).
    pub(crate) fn founded(squares: &[Square; 9]) -> Self {
        let pieces = Umbration::ALL.map(|umbration| {
            let square = squares[umbration.index()];
            let condition = Condition { q: FOUNDATION_Q, status: Status::Whole };
            Piece { umbration, square, home: square, condition }
        });
        let mut field = Self {
            pieces,
            things: [Thing::Blank; SQUARES],
            blanks: SquareSet::ALL,
            monuments: SquareSet::EMPTY,
            word: None,
            poem: Poem::default(),
        };
        for piece in pieces {
            field.put(piece.square, Thing::Piece(piece.umbration));
        }
        field
    }

    pub(crate) const fn piece(&self, piece: Umbration) -> &Piece {
        &self.pieces[piece.index()]
    }

    pub(crate) const fn pieces(&self) -> &[Piece; 9] {
        &self.pieces
    }

    pub(crate) const fn q(&self, piece: Umbration) -> u32 {
        self.pieces[piece.index()].condition.q
    }

    pub(crate) const fn thing(&self, square: Square) -> Thing {
        self.things[square.index()]
    }

    pub(crate) const fn blanks(&self) -> SquareSet {
        self.blanks
    }

    pub(crate) const fn word(&self) -> Option<&(Square, Word)> {
        self.word.as_ref()
    }

    /// Returns the pieces on these squares.
    pub(crate) fn pieces_on(&self, squares: SquareSet) -> PieceSet {
        self.pieces_with(|piece| squares.contains(piece.square))
    }

    pub(crate) fn pieces_with(&self, holds: impl Fn(&Piece) -> bool) -> PieceSet {
        self.pieces.iter().filter(|piece| holds(piece)).map(|piece| piece.umbration).collect()
    }

    /// Returns every monument with its square, in square order.
    pub(crate) fn monuments(&self) -> impl Iterator<Item = (Square, Umbration)> {
        self.monuments.iter().filter_map(|square| match self.thing(square) {
            Thing::Monument(umbration) => Some((square, umbration)),
            Thing::Blank | Thing::Piece(_) | Thing::Word => None,
        })
    }

    /// Returns the squares among these that hold a monument.
    pub(crate) const fn monuments_on(&self, squares: SquareSet) -> SquareSet {
        self.monuments.and(squares)
    }

    /// Returns the squares with a movable thing: a piece or a monument, never the word.
    pub(crate) const fn movable(&self) -> SquareSet {
        let things = self.blanks.complement();
        match self.word {
            Some((square, _)) => things.without(square),
            None => things,
        }
    }

    /// Returns the sum of the Q of all pieces on these squares.
    pub(crate) fn total(&self, squares: SquareSet) -> u32 {
        let pieces = self.pieces.iter().filter(|piece| squares.contains(piece.square));
        pieces.map(|piece| piece.condition.q).sum()
    }

    pub(crate) const fn set_condition(&mut self, piece: Umbration, condition: Condition) {
        self.pieces[piece.index()].condition = condition;
    }

    /// Moves a piece to a blank square.
    pub(crate) fn move_piece(&mut self, piece: Umbration, to: Square) {
        self.clear(self.pieces[piece.index()].square);
        self.pieces[piece.index()].square = to;
        self.put(to, Thing::Piece(piece));
    }

    /// Moves pieces simultaneously, so that one may take the square that another leaves.
    pub(crate) fn move_together(&mut self, moves: &[(Umbration, Square)]) {
        for &(piece, _) in moves {
            self.clear(self.pieces[piece.index()].square);
        }
        for &(piece, to) in moves {
            self.pieces[piece.index()].square = to;
            self.put(to, Thing::Piece(piece));
        }
    }

    pub(crate) fn build(&mut self, square: Square, umbration: Umbration) {
        self.put(square, Thing::Monument(umbration));
        self.monuments = self.monuments.with(square);
    }

    pub(crate) fn destroy(&mut self, square: Square) {
        self.clear(square);
    }

    /// Removes the word from the field and returns it, if there is one.
    pub(crate) fn lift_word(&mut self) -> Option<(Square, Word)> {
        let lifted = self.word.take()?;
        self.clear(lifted.0);
        Some(lifted)
    }

    pub(crate) fn lay_word(&mut self, square: Square, word: Word) {
        self.word = Some((square, word));
        self.put(square, Thing::Word);
    }

    const fn put(&mut self, square: Square, thing: Thing) {
        self.things[square.index()] = thing;
        self.blanks = self.blanks.without(square);
    }

    const fn clear(&mut self, square: Square) {
        self.things[square.index()] = Thing::Blank;
        self.blanks = self.blanks.with(square);
        self.monuments = self.monuments.without(square);
    }
}
