//! Octagonal effects between Elements: suppression, protection, borrowing (LM-20 to LM-25). All are judged on the position
//! before a move.

use super::board::Board;
use super::piece::Kind;
use super::place::{Place, Plane};
use super::set::octagonal;
use crate::{BySeat, Seat};

/// The effects of a position.
pub(super) struct Effects<'a> {
    board: &'a Board,
    /// By plane: the suppressed Elements of each seat.
    suppressed: [BySeat<u128>; 2],
}

impl<'a> Effects<'a> {
    pub(super) fn of(board: &'a Board) -> Self {
        let suppressed = Plane::ALL.map(|plane| {
            let by_enemy_of = |seat: Seat| {
                let aethers = board.field(plane.other()).of_kind(seat.other(), Kind::Aether);
                // Most of the time there is none in reach; Artifacts are never suppressed (LM-20).
                board.field(plane).elements(seat) & octagonal(plane, aethers)
            };
            BySeat::new(by_enemy_of(Seat::Zero), by_enemy_of(Seat::One))
        });
        Self { board, suppressed }
    }

    /// The Elements of the plane that an Element of this kind and seat reaches and that is not suppressed itself.
    fn reached_by(&self, seat: Seat, kind: Kind, plane: Plane) -> u128 {
        let from = plane.other();
        octagonal(plane, self.board.field(from).of_kind(seat, kind) & !self.suppressed[from as usize][seat])
    }

    /// The seat's Elements on the plane on which the effect of a friend of this kind stands (LM-21).
    #[inline]
    pub(super) fn lent(&self, seat: Seat, kind: Kind, plane: Plane) -> u128 {
        let friends = self.board.field(plane).elements(seat) & self.reached_by(seat, kind, plane);
        if friends == 0 {
            return 0;
        }
        friends & !self.suppressed[plane as usize][seat] & !self.reached_by(seat.other(), kind, plane)
    }

    /// The seat's Elements on the plane that may use the movement of this kind, their own or a borrowed one (LM-16,
    /// LM-23, LM-24).
    #[inline]
    pub(super) fn movers(&self, seat: Seat, kind: Kind, plane: Plane) -> u128 {
        self.board.field(plane).of_kind(seat, kind) | self.lent(seat, kind, plane)
    }

    /// The seat's pieces on the plane that nothing can capture (LM-22).
    pub(super) fn protected(&self, seat: Seat, plane: Plane) -> u128 {
        let of_kind = |kind| self.board.field(plane).of_kind(seat, kind) & self.lent(seat, kind, plane);
        Kind::ELEMENTS.into_iter().fold(0, |set, kind| set | of_kind(kind))
    }

    /// Whether the seat's Element there may use the movement of this kind.
    pub(super) fn may_move_as(&self, seat: Seat, kind: Kind, place: Place) -> bool {
        self.movers(seat, kind, place.plane()) & place.alone() != 0
    }

    /// Whether the seat's piece there is protected.
    pub(super) fn is_protected(&self, seat: Seat, place: Place) -> bool {
        self.protected(seat, place.plane()) & place.alone() != 0
    }
}
