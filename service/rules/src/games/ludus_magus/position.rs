//! What repetition compares (LM-43): the pieces, the mana and the seat to act; and the effect of an action on
//! them.

use super::board::Board;
use super::board::piece::{Kind, Piece};
use super::board::place::Place;
use super::moves::Move;
use crate::{BySide, Side};

/// Everything that determines the legal moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) board: Board,
    pub(super) mana: BySide<u32>,
    pub(super) to_act: Side,
}

/// The material that an action removed or added.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Nothing: the turn was quiet (LM-44).
    None,
    /// An enemy piece was captured.
    Captured(Piece),
    /// An Element was conjured.
    Conjured,
}

impl Position {
    /// Returns the place of the seat's Magus. `None` once it is captured.
    pub(super) fn magus(&self, seat: Side) -> Option<Place> {
        self.board.magus(seat)
    }

    /// Applies a legal move and passes the turn to the other seat.
    pub(super) fn apply(&mut self, mv: Move) -> Change {
        let seat = self.to_act;
        let change = match mv {
            Move::Go { from, to } | Move::Summon { from, to } => self.go(from, to, to),
            Move::Terra { from, victim, to } => self.go(from, victim, to),
            Move::Swap => self.swap(),
            Move::Conjure { kind, to } => {
                self.board.put(Piece { seat, kind, place: to });
                self.mana[seat] -= 1;
                Change::Conjured
            }
            Move::Malformed => Change::None,
        };
        self.to_act = seat.other();
        change
    }

    /// Moves a piece, and captures the piece on `victim`, if there is one (LM-7, LM-30).
    fn go(&mut self, from: Place, victim: Place, to: Place) -> Change {
        let Some(mover) = self.board.at(from) else { return Change::None };
        let captured = self.board.at(victim);
        if let Some(piece) = captured {
            self.board.take(piece);
            if piece.kind.is_element() {
                self.mana[mover.seat] += 1;
            }
        }
        self.board.take(mover);
        self.board.put(Piece { place: to, ..mover });
        captured.map_or(Change::None, Change::Captured)
    }

    fn swap(&mut self) -> Change {
        let (seat, board) = (self.to_act, &mut self.board);
        if let (Some(magus), Some(famulus)) = (board.magus(seat), board.find(seat, Kind::Famulus)) {
            board.take(Piece { seat, kind: Kind::Magus, place: magus });
            board.take(Piece { seat, kind: Kind::Famulus, place: famulus });
            board.put(Piece { seat, kind: Kind::Magus, place: famulus });
            board.put(Piece { seat, kind: Kind::Famulus, place: magus });
        }
        Change::None
    }
}
