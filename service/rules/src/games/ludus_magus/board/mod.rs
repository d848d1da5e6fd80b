//! The pieces on both planes: per plane, the places of each seat and three bitboards that encode the kinds.

pub(super) mod bitboard;
pub(super) mod offsets;
pub(super) mod piece;
pub(super) mod place;

use crate::games::ludus_magus::board::bitboard::{all_places, places};
use crate::games::ludus_magus::board::piece::{Kind, Piece};
use crate::games::ludus_magus::board::place::{Place, Plane};
use crate::{BySide, Side};

/// One plane. A vacant place is in no seat's set and in no set of `kinds`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field {
    seats: BySide<u128>,
    /// Per bit of a kind's number, the places whose piece has that bit set.
    pub(crate) kinds: [u128; 3],
}

/// Both planes. Boards with equal pieces are equal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Board {
    fields: [Field; 2],
    /// Each Magus's place, cached because it is read several times per turn. `None` once it is captured.
    magi: BySide<Option<Place>>,
}

impl Field {
    const EMPTY: Self = Self { seats: BySide::new(0, 0), kinds: [0; 3] };

    /// Returns the places of the seat's pieces.
    pub(crate) fn of(&self, seat: Side) -> u128 {
        self.seats[seat]
    }

    /// Returns the places of the seat's pieces of one kind.
    #[inline(always)]
    pub(crate) fn of_kind(&self, seat: Side, kind: Kind) -> u128 {
        self.kind_among(kind, self.seats[seat])
    }

    /// Returns the places among these occupied ones that hold a piece of this kind.
    #[inline(always)]
    pub(crate) fn kind_among(&self, kind: Kind, occupied: u128) -> u128 {
        let number = kind.index();
        let mut set = occupied;
        for (bit, places) in self.kinds.iter().enumerate() {
            set &= if number >> bit & 1 == 1 { *places } else { !places };
        }
        set
    }

    /// Returns the places of the seat's Elements, kinds 0 to 4.
    pub(crate) fn elements(&self, seat: Side) -> u128 {
        let [ones, twos, fours] = self.kinds;
        self.seats[seat] & !(fours & (ones | twos))
    }

    fn kind(&self, place: Place) -> Kind {
        let [ones, twos, fours] = self.kinds.map(|places| usize::from(places & place.bitboard() != 0));
        Kind::ALL[ones | twos << 1 | fours << 2]
    }

    /// Returns the words of the field, for hashing.
    pub(crate) fn words(&self) -> [u128; 5] {
        let [ones, twos, fours] = self.kinds;
        [self.seats[Side::Zero], self.seats[Side::One], ones, twos, fours]
    }
}

impl Board {
    pub(crate) const EMPTY: Self = Self { fields: [Field::EMPTY; 2], magi: BySide::new(None, None) };

    pub(crate) const fn field(&self, plane: Plane) -> &Field {
        &self.fields[plane as usize]
    }

    pub(crate) fn vacant(&self, plane: Plane) -> u128 {
        let field = self.field(plane);
        all_places(plane) & !(field.seats[Side::Zero] | field.seats[Side::One])
    }

    pub(crate) fn is_vacant(&self, place: Place) -> bool {
        self.owner(place).is_none()
    }

    /// Returns the seat whose piece stands there.
    pub(crate) fn owner(&self, place: Place) -> Option<Side> {
        let seats = &self.field(place.plane()).seats;
        if seats[Side::Zero] & place.bitboard() != 0 {
            Some(Side::Zero)
        } else if seats[Side::One] & place.bitboard() != 0 {
            Some(Side::One)
        } else {
            None
        }
    }

    /// Returns the piece that stands there.
    pub(crate) fn at(&self, place: Place) -> Option<Piece> {
        let seat = self.owner(place)?;
        Some(Piece { seat, kind: self.field(place.plane()).kind(place), place })
    }

    /// Puts a piece on a vacant place.
    pub(crate) fn put(&mut self, piece: Piece) {
        self.change(piece);
        if piece.kind == Kind::Magus {
            self.magi[piece.seat] = Some(piece.place);
        }
    }

    /// Removes a piece from the board.
    pub(crate) fn take(&mut self, piece: Piece) {
        self.change(piece);
        if piece.kind == Kind::Magus {
            self.magi[piece.seat] = None;
        }
    }

    /// Toggles the piece's bits.
    #[inline(always)]
    fn change(&mut self, piece: Piece) {
        let field = &mut self.fields[piece.place.plane() as usize];
        let bitboard = piece.place.bitboard();
        field.seats[piece.seat] ^= bitboard;
        for (bit, places) in field.kinds.iter_mut().enumerate() {
            if piece.kind.index() >> bit & 1 == 1 {
                *places ^= bitboard;
            }
        }
    }

    /// Returns the place of the seat's Magus.
    pub(crate) fn magus(&self, seat: Side) -> Option<Place> {
        self.magi[seat]
    }

    /// Returns the place of the seat's only piece of that kind, if it has one.
    pub(crate) fn find(&self, seat: Side, kind: Kind) -> Option<Place> {
        let on = |plane| places(plane, self.field(plane).of_kind(seat, kind)).next();
        on(Plane::Corporeal).or_else(|| on(Plane::Astral))
    }

    /// Returns every piece in place order.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Piece> {
        Place::all().filter_map(|place| self.at(place))
    }
}
