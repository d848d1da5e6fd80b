//! The referee's own picture of a position, made from the public view: plain rows and columns.

use std::collections::BTreeMap;

use rules::games::cresnovian_chess::{Direction, FieldView, Square, Status, Umbration};

/// Row and column.
pub(crate) type At = (i64, i64);

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Standing {
    pub(crate) at: At,
    pub(crate) home: At,
    pub(crate) q: u32,
    pub(crate) status: Status,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    pub(crate) pieces: BTreeMap<Umbration, Standing>,
    pub(crate) monuments: BTreeMap<At, Umbration>,
    pub(crate) word: Option<(At, String)>,
    pub(crate) poem: Vec<String>,
}

pub(crate) fn at(square: Square) -> At {
    (square.row().into(), square.col().into())
}

/// Returns whether two squares are adjacent (CC-5); no square is adjacent to itself.
pub(crate) fn are_adjacent(one: At, two: At) -> bool {
    one != two && one.0.abs_diff(two.0) <= 1 && one.1.abs_diff(two.1) <= 1
}

pub(crate) fn is_in_world(at: At) -> bool {
    (4..=6).contains(&at.1)
}

/// Returns the square after a step, which may be off the field.
pub(crate) fn beside(from: At, direction: Direction) -> At {
    let (rows, cols) = match direction {
        Direction::Up => (-1, 0),
        Direction::UpRight => (-1, 1),
        Direction::Right => (0, 1),
        Direction::DownRight => (1, 1),
        Direction::Down => (1, 0),
        Direction::DownLeft => (1, -1),
        Direction::Left => (0, -1),
        Direction::UpLeft => (-1, -1),
    };
    (from.0 + rows, from.1 + cols)
}

impl Board {
    pub(crate) fn of(field: &FieldView) -> Self {
        let standing = |piece: &rules::games::cresnovian_chess::Piece| Standing {
            at: at(piece.square),
            home: at(piece.home),
            q: piece.condition.q,
            status: piece.condition.status,
        };
        Self {
            pieces: field.pieces.iter().map(|piece| (piece.umbration, standing(piece))).collect(),
            monuments: field.monuments.iter().map(|&(square, umbration)| (at(square), umbration)).collect(),
            word: field.word.as_ref().map(|(square, word)| (at(*square), word.as_str().to_string())),
            poem: field.poem.iter().map(|word| word.as_str().to_string()).collect(),
        }
    }

    pub(crate) fn piece(&self, piece: Umbration) -> &Standing {
        &self.pieces[&piece]
    }

    pub(crate) fn piece_at(&self, at: At) -> Option<Umbration> {
        self.pieces.iter().find(|(_, standing)| standing.at == at).map(|(&piece, _)| piece)
    }

    /// Returns whether a square is on the field and blank (CC-3).
    pub(crate) fn is_blank(&self, at: At) -> bool {
        let is_on_field = (1..=3).contains(&at.0) && (1..=9).contains(&at.1);
        let is_word = self.word.as_ref().is_some_and(|&(word, _)| word == at);
        is_on_field && self.piece_at(at).is_none() && !self.monuments.contains_key(&at) && !is_word
    }

    pub(crate) fn is_movable(&self, at: At) -> bool {
        self.piece_at(at).is_some() || self.monuments.contains_key(&at)
    }

    /// Moves the piece or monument that stands there.
    pub(crate) fn shift(&mut self, from: At, to: At) {
        if let Some(piece) = self.piece_at(from) {
            self.stand(piece, to);
        } else if let Some(umbration) = self.monuments.remove(&from) {
            self.monuments.insert(to, umbration);
        }
    }

    pub(crate) fn stand(&mut self, piece: Umbration, to: At) {
        self.pieces.get_mut(&piece).expect("all nine stand on the field").at = to;
    }

    /// Changes a piece's Q; void on an eternal piece (CC-6).
    pub(crate) fn change(&mut self, piece: Umbration, change: impl Fn(u32) -> u32) {
        let standing = self.pieces.get_mut(&piece).expect("all nine stand on the field");
        if standing.status != Status::Eternal {
            standing.q = change(standing.q);
        }
    }

    pub(crate) fn set_status(&mut self, piece: Umbration, status: Status) {
        let standing = self.pieces.get_mut(&piece).expect("all nine stand on the field");
        if standing.status != Status::Eternal {
            standing.status = status;
        }
    }
}
