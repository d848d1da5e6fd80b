//! The arts of the Magus of the seat to act: Swap, Conjure and Summon (LM-19, LM-31, LM-32). Suppression and
//! negation do not affect them (LM-33).

use alloc::vec::Vec;

use crate::games::ludus_magus::board::bitboard::{adjacent, places};
use crate::games::ludus_magus::board::piece::Kind;
use crate::games::ludus_magus::board::place::{Place, Plane};
use crate::games::ludus_magus::moves::Move;
use crate::games::ludus_magus::position::Position;

/// The available arts, as bitboards.
pub(crate) struct Arts {
    /// The plane of the Magus.
    magus_on: Plane,
    /// Whether it can swap with the Famulus.
    swaps: bool,
    /// The vacant places next to it, if it can conjure; four kinds can appear on each.
    conjured_to: u128,
    /// The Elements that it can summon, on the other plane.
    summoned_from: u128,
    /// The vacant places next to it, if it can summon.
    summoned_to: u128,
}

impl Arts {
    pub(crate) fn of(position: &Position, magus: Place) -> Self {
        let (seat, board) = (position.to_act, &position.board);
        let (here, there) = (magus.plane(), magus.plane().other());
        let (beside, octagonal) = (adjacent(here, magus), adjacent(there, magus));
        let (near_here, near_there) =
            (board.field(here).of(seat) & beside, board.field(there).of(seat) & octagonal);
        let here_of = |kind| board.field(here).kind_among(kind, near_here);
        let there_of = |kind| board.field(there).kind_among(kind, near_there);
        let is_adjacent = |kind| here_of(kind) | there_of(kind) != 0;
        let vacant = beside & board.vacant(here);
        let aethers = there_of(Kind::Aether);
        let summoned_from =
            if aethers == 0 { 0 } else { board.field(there).elements(seat) & octagonal & !aethers };
        Self {
            magus_on: here,
            swaps: is_adjacent(Kind::Famulus),
            conjured_to: if position.mana[seat] > 0 && is_adjacent(Kind::Codex) { vacant } else { 0 },
            summoned_from,
            summoned_to: if summoned_from == 0 { 0 } else { vacant },
        }
    }

    /// Returns the number of moves.
    pub(crate) fn count(&self) -> u32 {
        // At most four places are next to a Magus, and usually no art is available.
        let mut count = u32::from(self.swaps);
        if self.conjured_to != 0 {
            count += 4 * self.conjured_to.count_ones();
        }
        if self.summoned_from != 0 {
            count += self.summoned_from.count_ones() * self.summoned_to.count_ones();
        }
        count
    }

    /// Returns the moves: Swap, every Conjure, every Summon.
    pub(crate) fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.swaps {
            moves.push(Move::Swap);
        }
        for to in places(self.magus_on, self.conjured_to) {
            moves.extend(Kind::MOVING.map(|kind| Move::Conjure { kind, to }));
        }
        for from in places(self.magus_on.other(), self.summoned_from) {
            moves.extend(places(self.magus_on, self.summoned_to).map(|to| Move::Summon { from, to }));
        }
        moves
    }
}
