//! Checks one move and names the paragraph that forbids it (LM-6 to LM-40). It works place by place and
//! shares no code with move generation, so that tests can compare the two.

use alloc::format;

use super::board::bitboard::adjacent;
use super::board::piece::{Kind, Piece};
use super::board::place::Place;
use super::movegen::effects::Effects;
use super::moves::Move;
use super::position::Position;
use crate::{Illegal, Paragraph};

const LM_3: Paragraph = Paragraph::new("LM-3");
const LM_6: Paragraph = Paragraph::new("LM-6");
const LM_7: Paragraph = Paragraph::new("LM-7");
const LM_10: Paragraph = Paragraph::new("LM-10");
const LM_11: Paragraph = Paragraph::new("LM-11");
const LM_12: Paragraph = Paragraph::new("LM-12");
const LM_13: Paragraph = Paragraph::new("LM-13");
const LM_14: Paragraph = Paragraph::new("LM-14");
const LM_15: Paragraph = Paragraph::new("LM-15");
const LM_16: Paragraph = Paragraph::new("LM-16");
const LM_17: Paragraph = Paragraph::new("LM-17");
const LM_18: Paragraph = Paragraph::new("LM-18");
const LM_19: Paragraph = Paragraph::new("LM-19");
const LM_22: Paragraph = Paragraph::new("LM-22");
const LM_31: Paragraph = Paragraph::new("LM-31");
const LM_32: Paragraph = Paragraph::new("LM-32");
const LM_40: Paragraph = Paragraph::new("LM-40");

/// Checks a move of the seat to act.
pub(super) fn check(position: &Position, mv: Move) -> Result<(), Illegal> {
    let check = MoveCheck { position };
    match mv {
        Move::Malformed => Err(Illegal::malformed("the move names a kind or a place that does not exist")),
        Move::Go { from, to } => check.go(from, to),
        Move::Terra { from, victim, to } => check.terra(from, victim, to),
        Move::Swap => check.swap(),
        Move::Conjure { kind, to } => check.conjure(kind, to),
        Move::Summon { from, to } => check.summon(from, to),
    }
}

struct MoveCheck<'a> {
    position: &'a Position,
}

impl MoveCheck<'_> {
    /// Computes the effects, for the moves that depend on them.
    fn effects(&self) -> Effects<'_> {
        Effects::of(&self.position.board)
    }

    fn own_piece(&self, from: Place) -> Result<Piece, Illegal> {
        let piece = self.position.board.at(from).filter(|piece| piece.seat == self.position.to_act);
        piece.ok_or_else(|| Illegal::new(LM_6, format!("you have no piece on {from}")))
    }

    fn go(&self, from: Place, to: Place) -> Result<(), Illegal> {
        let piece = self.own_piece(from)?;
        match piece.kind {
            Kind::Magus => self.magus_step(piece, to),
            Kind::Codex | Kind::Famulus => self.helper_step(piece, to),
            Kind::Aer | Kind::Aqua | Kind::Ignis | Kind::Terra | Kind::Aether => self.element_goes(piece, to),
        }
    }

    fn magus_step(&self, magus: Piece, to: Place) -> Result<(), Illegal> {
        if magus.place.distance(to) != Some(1) {
            return Err(Illegal::new(LM_17, "the Magus moves one step along a file or rank of its plane"));
        }
        self.may_end(magus, to, LM_17)
    }

    fn helper_step(&self, helper: Piece, to: Place) -> Result<(), Illegal> {
        let name = helper.kind.name();
        if helper.place.distance(to) != Some(1) {
            let text = format!("the {name} moves one step along a file or rank of its plane");
            return Err(Illegal::new(LM_18, text));
        }
        if !self.position.board.is_vacant(to) {
            return Err(Illegal::new(LM_18, format!("the {name} moves only to vacant places")));
        }
        if !self.is_near_magus(to) {
            return Err(Illegal::new(LM_18, format!("the {name} must stay adjacent to its Magus")));
        }
        Ok(())
    }

    fn element_goes(&self, element: Piece, to: Place) -> Result<(), Illegal> {
        match element.place.distance(to) {
            None => Err(Illegal::new(LM_15, "both places must be on the same plane")),
            Some(0) => Err(Illegal::new(LM_10, "the piece must leave its place")),
            Some(1) => self.may_end(element, to, LM_10),
            Some(2) => self.two_steps(element, to),
            Some(_) => Err(Illegal::new(LM_15, "an Element moves at most two orthogonal steps")),
        }
    }

    /// Checks the movements that are named by their ends (LM-11, LM-12, LM-13).
    fn two_steps(&self, element: Piece, to: Place) -> Result<(), Illegal> {
        self.may_end(element, to, LM_3)?;
        let effects = self.effects();
        let may = |kind| effects.may_move_as(element.seat, kind, element.place);
        let over = |owner| {
            let mut ways = between(element.place, to).into_iter();
            ways.any(|place| self.position.board.owner(place) == owner)
        };
        if self.position.board.is_vacant(to) {
            return match (may(Kind::Aer), over(None)) {
                (true, true) => Ok(()),
                (true, false) => Err(Illegal::new(LM_11, "there is no vacant place between")),
                (false, _) => {
                    Err(Illegal::new(LM_16, "a second step to a vacant place needs Aer's movement"))
                }
            };
        }
        match (may(Kind::Ignis), may(Kind::Aqua)) {
            (true, _) if over(None) => Ok(()),
            (_, true) if over(Some(element.seat)) => Ok(()),
            (true, _) => {
                Err(Illegal::new(LM_13, "Ignis captures over a vacant place, and there is none between"))
            }
            (false, true) => {
                Err(Illegal::new(LM_12, "Aqua captures over a friendly piece, and there is none between"))
            }
            (false, false) => {
                Err(Illegal::new(LM_16, "a capture two steps away needs Aqua's or Ignis's movement"))
            }
        }
    }

    fn terra(&self, from: Place, victim: Place, to: Place) -> Result<(), Illegal> {
        let piece = self.own_piece(from)?;
        match piece.kind {
            Kind::Magus => return Err(Illegal::new(LM_17, "the Magus moves only one step")),
            Kind::Codex | Kind::Famulus => {
                return Err(Illegal::new(LM_18, format!("the {} never captures", piece.kind.name())));
            }
            Kind::Aer | Kind::Aqua | Kind::Ignis | Kind::Terra | Kind::Aether => {}
        }
        if from.distance(victim) != Some(1) || victim.distance(to) != Some(1) {
            return Err(Illegal::new(LM_15, "both steps must be orthogonal, on the same plane"));
        }
        let Some(prey) = self.position.board.at(victim).filter(|prey| prey.seat != piece.seat) else {
            return Err(Illegal::new(
                LM_14,
                format!("the first step must capture, but there is no enemy on {victim}"),
            ));
        };
        if prey.kind == Kind::Magus {
            return Err(Illegal::new(LM_40, "capturing the Magus ends the match: no second step follows"));
        }
        self.may_capture(piece, prey)?;
        if !self.position.board.is_vacant(to) {
            // This includes the start, which the mover occupies.
            return Err(Illegal::new(
                LM_14,
                "the second step must be to a vacant place other than the start",
            ));
        }
        if !self.effects().may_move_as(piece.seat, Kind::Terra, from) {
            return Err(Illegal::new(LM_16, "a step after a capture needs Terra's movement"));
        }
        Ok(())
    }

    fn swap(&self) -> Result<(), Illegal> {
        let famulus = self.position.board.find(self.position.to_act, Kind::Famulus);
        match famulus {
            Some(place) if self.is_near_magus(place) => Ok(()),
            Some(_) => Err(Illegal::new(LM_19, "your Famulus is not adjacent to your Magus")),
            None => Err(Illegal::new(LM_19, "you have no Famulus")),
        }
    }

    fn conjure(&self, kind: Kind, to: Place) -> Result<(), Illegal> {
        let codex = self.position.board.find(self.position.to_act, Kind::Codex);
        if !Kind::MOVING.contains(&kind) {
            return Err(Illegal::new(LM_31, "only Aer, Aqua, Ignis and Terra can be conjured"));
        }
        if self.position.mana[self.position.to_act] == 0 {
            return Err(Illegal::new(LM_31, "a Conjure costs 1 mana, but you have none"));
        }
        if !codex.is_some_and(|place| self.is_near_magus(place)) {
            return Err(Illegal::new(LM_31, "a Conjure needs your Codex adjacent to your Magus"));
        }
        self.vacant_beside_magus(to, LM_31)
    }

    fn summon(&self, from: Place, to: Place) -> Result<(), Illegal> {
        let element = self.own_piece(from)?;
        let Some(magus) = self.position.magus(element.seat) else {
            return Err(Illegal::new(LM_32, "a Summon needs a Magus"));
        };
        let plane = magus.plane().other();
        let octagonal = adjacent(plane, magus);
        if !element.kind.is_element() || element.kind == Kind::Aether {
            return Err(Illegal::new(LM_32, "only Aer, Aqua, Ignis and Terra can be summoned"));
        }
        if from.plane() != plane || octagonal & from.bitboard() == 0 {
            return Err(Illegal::new(LM_32, "the Element must be octagonally adjacent to your Magus"));
        }
        if self.position.board.field(plane).of_kind(element.seat, Kind::Aether) & octagonal == 0 {
            return Err(Illegal::new(
                LM_32,
                "a Summon needs your own Aether octagonally adjacent to your Magus",
            ));
        }
        self.vacant_beside_magus(to, LM_32)
    }

    fn vacant_beside_magus(&self, to: Place, paragraph: Paragraph) -> Result<(), Illegal> {
        let magus = self.position.magus(self.position.to_act);
        if magus.and_then(|magus| magus.distance(to)) != Some(1) || !self.position.board.is_vacant(to) {
            let text = "the Element must go to a vacant place orthogonally adjacent to your Magus";
            return Err(Illegal::new(paragraph, text));
        }
        Ok(())
    }

    fn is_near_magus(&self, place: Place) -> bool {
        let magus = self.position.magus(self.position.to_act);
        magus.is_some_and(|magus| adjacent(place.plane(), magus) & place.bitboard() != 0)
    }

    /// Checks that the place is vacant or holds a capturable enemy; a friend there violates `onto_friend`.
    fn may_end(&self, piece: Piece, to: Place, onto_friend: Paragraph) -> Result<(), Illegal> {
        match self.position.board.at(to) {
            None => Ok(()),
            Some(other) if other.seat == piece.seat => {
                Err(Illegal::new(onto_friend, format!("your own piece stands on {to}")))
            }
            Some(enemy) => self.may_capture(piece, enemy),
        }
    }

    fn may_capture(&self, piece: Piece, enemy: Piece) -> Result<(), Illegal> {
        if piece.kind == enemy.kind {
            return Err(Illegal::new(LM_7, "no piece captures a piece of its own kind"));
        }
        if self.effects().is_protected(enemy.seat, enemy.kind, enemy.place) {
            let text =
                format!("the {} on {} is protected by another of its kind", enemy.kind.name(), enemy.place);
            return Err(Illegal::new(LM_22, text));
        }
        Ok(())
    }
}

/// Returns the places between two places of one plane that are two steps apart: one, or two around a corner.
fn between(from: Place, to: Place) -> [Place; 2] {
    let (a, b) = (from.bit(), to.bit());
    let on_plane = |bit| Place::of_bit(from.plane(), bit);
    if from.col() == to.col() || from.row() == to.row() {
        return [on_plane(a.midpoint(b)); 2];
    }
    let corner = |row: Place, col: Place| {
        let bit = 10 * row.row() + col.col();
        u8::try_from(bit).map_or(from, on_plane)
    };
    [corner(from, to), corner(to, from)]
}
