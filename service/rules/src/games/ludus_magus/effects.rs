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
        let by_enemy_of = |seat: Seat, plane: Plane| {
            let aethers = board.field(plane.other()).of_kind(seat.other(), Kind::Aether);
            // Artifacts are never suppressed (LM-20).
            board.field(plane).elements(seat) & octagonal(plane, aethers)
        };
        let on = |plane| BySeat::new(by_enemy_of(Seat::Zero, plane), by_enemy_of(Seat::One, plane));
        Self { board, suppressed: [on(Plane::Corporeal), on(Plane::Astral)] }
    }

    /// The Elements of the plane that an Element of this kind and seat reaches and that is not suppressed itself.
    #[inline(always)]
    fn reached_by(&self, seat: Seat, kind: Kind, plane: Plane) -> u128 {
        let from = plane.other();
        octagonal(plane, self.board.field(from).of_kind(seat, kind) & !self.suppressed[from as usize][seat])
    }

    /// The seat's Elements on the plane on which the effect of a friend of this kind stands (LM-21).
    #[inline(always)]
    pub(super) fn lent(&self, seat: Seat, kind: Kind, plane: Plane) -> u128 {
        let friends = self.board.field(plane).elements(seat) & self.reached_by(seat, kind, plane);
        if friends == 0 {
            return 0;
        }
        friends & !self.suppressed[plane as usize][seat] & !self.reached_by(seat.other(), kind, plane)
    }

    /// The seat's Elements on the plane that may use the movement of this kind, their own or a borrowed one (LM-16,
    /// LM-23, LM-24).
    #[inline(always)]
    pub(super) fn movers(&self, seat: Seat, kind: Kind, plane: Plane) -> u128 {
        self.board.field(plane).of_kind(seat, kind) | self.lent(seat, kind, plane)
    }

    /// Those of the seat's pieces `among` these places of the plane that nothing can capture (LM-22).
    #[inline]
    pub(super) fn protected(&self, seat: Seat, plane: Plane, among: u128) -> u128 {
        let among = among & !self.suppressed[plane as usize][seat];
        let of_kind = |kind| {
            let pieces = self.board.field(plane).of_kind(seat, kind) & among;
            if pieces == 0 { 0 } else { pieces & self.lent(seat, kind, plane) }
        };
        // Spelt out, so that each kind's bits are known when this is compiled: the listing spends its time here.
        of_kind(Kind::Aer)
            | of_kind(Kind::Aqua)
            | of_kind(Kind::Ignis)
            | of_kind(Kind::Terra)
            | of_kind(Kind::Aether)
    }

    /// Whether the seat's Element there may use the movement of this kind.
    pub(super) fn may_move_as(&self, seat: Seat, kind: Kind, place: Place) -> bool {
        self.movers(seat, kind, place.plane()) & place.alone() != 0
    }

    /// Whether the seat's piece there is protected.
    pub(super) fn is_protected(&self, seat: Seat, place: Place) -> bool {
        self.protected(seat, place.plane(), place.alone()) != 0
    }
}
