//! Octagonal effects between Elements: suppression, protection and borrowing (LM-20 to LM-25), all judged on
//! the position before a move.

use crate::games::ludus_magus::board::Board;
use crate::games::ludus_magus::board::bitboard::octagonal;
use crate::games::ludus_magus::board::piece::Kind;
use crate::games::ludus_magus::board::place::{Place, Plane};
use crate::{BySide, Side};

/// The effects of a position.
pub(crate) struct Effects<'a> {
    board: &'a Board,
    /// Per plane, the Elements of each seat that are not suppressed. Only they exert and receive effects.
    active: [BySide<u128>; 2],
}

/// The effects on one seat's moves on one plane, for all pieces at once.
pub(crate) struct PlaneEffects {
    /// The Elements that may use the movement of each of [`Kind::MOVING`], their own or borrowed.
    pub(crate) movers: [u128; 4],
    /// The enemies that cannot be captured (LM-22).
    pub(crate) protected: u128,
}

impl<'a> Effects<'a> {
    pub(crate) fn of(board: &'a Board) -> Self {
        let active = |seat: Side, plane: Plane| {
            let aethers = board.field(plane.other()).of_kind(seat.other(), Kind::Aether);
            board.field(plane).elements(seat) & !octagonal(plane, aethers)
        };
        let on = |plane| BySide::new(active(Side::Zero, plane), active(Side::One, plane));
        Self { board, active: [on(Plane::Corporeal), on(Plane::Astral)] }
    }

    /// Returns the places of the plane that are octagonally adjacent to an unsuppressed Element of this seat
    /// and kind.
    #[inline(always)]
    fn reached_by(&self, seat: Side, kind: Kind, plane: Plane) -> u128 {
        let from = plane.other();
        octagonal(plane, self.board.field(from).kind_among(kind, self.active[from as usize][seat]))
    }

    /// Returns the seat's Elements on the plane on which the effect of a friend of this kind stands (LM-21).
    #[inline(always)]
    fn lent(&self, seat: Side, kind: Kind, plane: Plane) -> u128 {
        let friends = self.active[plane as usize][seat] & self.reached_by(seat, kind, plane);
        friends & !self.reached_by(seat.other(), kind, plane)
    }

    /// Returns the seat's Elements on the plane that may use the movement of this kind, their own or borrowed
    /// (LM-16, LM-23, LM-24).
    #[inline(always)]
    pub(crate) fn movers(&self, seat: Side, kind: Kind, plane: Plane) -> u128 {
        self.board.field(plane).of_kind(seat, kind) | self.lent(seat, kind, plane)
    }

    /// Returns all effects on the seat's moves on the plane.
    #[inline(always)]
    pub(crate) fn on_plane(&self, seat: Side, plane: Plane) -> PlaneEffects {
        let (aer, aer_kept) = self.kind_effects(seat, Kind::Aer, plane);
        let (aqua, aqua_kept) = self.kind_effects(seat, Kind::Aqua, plane);
        let (ignis, ignis_kept) = self.kind_effects(seat, Kind::Ignis, plane);
        let (terra, terra_kept) = self.kind_effects(seat, Kind::Terra, plane);
        let (_, aether_kept) = self.kind_effects(seat, Kind::Aether, plane);
        PlaneEffects {
            movers: [aer, aqua, ignis, terra],
            protected: aer_kept | aqua_kept | ignis_kept | terra_kept | aether_kept,
        }
    }

    /// Returns the movers of one kind, and the protected enemies of that kind.
    #[inline(always)]
    fn kind_effects(&self, seat: Side, kind: Kind, plane: Plane) -> (u128, u128) {
        let (enemy, field) = (seat.other(), self.board.field(plane));
        let active = &self.active[plane as usize];
        let (own, hostile) = (self.reached_by(seat, kind, plane), self.reached_by(enemy, kind, plane));
        let movers = field.of_kind(seat, kind) | active[seat] & own & !hostile;
        (movers, field.kind_among(kind, active[enemy]) & hostile & !own)
    }

    /// Returns whether the seat's Element there may use the movement of this kind.
    pub(crate) fn may_move_as(&self, seat: Side, kind: Kind, place: Place) -> bool {
        self.movers(seat, kind, place.plane()) & place.bitboard() != 0
    }

    /// Returns whether the seat's piece of that kind there is protected (LM-22).
    pub(crate) fn is_protected(&self, seat: Side, kind: Kind, place: Place) -> bool {
        kind.is_element() && self.lent(seat, kind, place.plane()) & place.bitboard() != 0
    }
}
