//! Plays a turn and records its facts.

use alloc::vec::Vec;

use super::board::piece::{Kind, Piece};
use super::board::place::Place;
use super::ending::Reason;
use super::moves::Move;
use super::position::{Change, Position};
use super::state::State;
use super::{check, legal};
use crate::{Ending, Illegal, Played, Side};

/// What a turn brings about, in the order in which it happens. All facts are public.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// A piece was captured and left the game.
    Captured {
        /// The piece, at its place before.
        piece: Piece,
    },
    /// A piece moved to another place, which was vacant by then.
    Moved {
        /// The piece, at its place before.
        piece: Piece,
        /// The place of the victim of Terra's movement.
        over: Option<Place>,
        /// Its place now.
        to: Place,
    },
    /// Magus and Famulus exchanged places.
    Swapped {
        /// Their seat.
        seat: Side,
        /// The Magus's place now.
        magus: Place,
        /// The Famulus's place now.
        famulus: Place,
    },
    /// An Element was conjured.
    Conjured {
        /// The Element, at its place now.
        piece: Piece,
    },
    /// An Element was summoned to the Magus's plane.
    Summoned {
        /// The Element, at its place before.
        piece: Piece,
        /// Its place now.
        to: Place,
    },
    /// A seat gained or spent mana.
    ManaChanged {
        /// The seat.
        seat: Side,
        /// The seat's mana now.
        mana: u32,
    },
    /// A Magus is bound, which ends the match.
    Bound {
        /// The Magus, at its place.
        magus: Piece,
    },
    /// The turn is over.
    TurnTaken {
        /// The turn's number, from 1.
        turn: u32,
        /// Turns since the last capture or Conjure; 0 if this turn had one.
        quiet_turns: u32,
        /// How many times the new position has occurred, including now.
        occurrences: u32,
    },
}

pub(super) fn play(state: &State, seat: Side, mv: Move) -> Result<Played<State, Fact>, Illegal> {
    legal::check_to_act(state, seat)?;
    check::check(state.position(), mv)?;
    let (after, change) = state.after(mv);
    let facts = facts(state.position(), mv, change, &after);
    Ok(Played { state: after, facts })
}

fn facts(before: &Position, mv: Move, change: Change, after: &State) -> Vec<Fact> {
    let seat = before.to_act;
    // A capture has the most facts: the victim, the move, the mana, a bound Magus, the turn.
    let mut facts = Vec::with_capacity(5);
    if let Change::Captured(piece) = change {
        facts.push(Fact::Captured { piece });
    }
    facts.extend(action(before, mv));
    let mana = after.position().mana[seat];
    if mana != before.mana[seat] {
        facts.push(Fact::ManaChanged { seat, mana });
    }
    if let Some(Ending { winner: Some(winner), reason: Reason::Bind }) = after.ending {
        let loser = winner.other();
        let magus =
            after.position().magus(loser).map(|place| Piece { seat: loser, kind: Kind::Magus, place });
        facts.extend(magus.map(|magus| Fact::Bound { magus }));
    }
    facts.push(Fact::TurnTaken {
        turn: after.turns_taken,
        quiet_turns: after.quiet_turns,
        occurrences: after.occurrences(),
    });
    facts
}

/// Returns the fact about the seat's own pieces.
fn action(before: &Position, mv: Move) -> Option<Fact> {
    let (seat, board) = (before.to_act, &before.board);
    match mv {
        Move::Go { from, to } => Some(Fact::Moved { piece: board.at(from)?, over: None, to }),
        Move::Terra { from, victim, to } => {
            Some(Fact::Moved { piece: board.at(from)?, over: Some(victim), to })
        }
        Move::Swap => {
            let (famulus, magus) = (before.magus(seat)?, board.find(seat, Kind::Famulus)?);
            Some(Fact::Swapped { seat, magus, famulus })
        }
        Move::Conjure { kind, to } => Some(Fact::Conjured { piece: Piece { seat, kind, place: to } }),
        Move::Summon { from, to } => Some(Fact::Summoned { piece: board.at(from)?, to }),
        Move::Malformed => None,
    }
}
