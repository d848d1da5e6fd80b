//! The whole truth of a match: the position, its history, and the counters.

use alloc::vec::Vec;

use super::board::place::Place;
use super::ending::{self, Reason, Turn};
use super::history::History;
use super::moves::Move;
use super::options::Options;
use super::position::{Change, Position};
use crate::{Ending, Side};

/// The rules version of new matches. When a later version changes a paragraph, the code asks the state for
/// its version.
pub(super) const RULES_VERSION: u32 = 1;

/// A state of Ludus Magus. Nothing in it is secret.
#[derive(Clone)]
pub struct State {
    pub(super) rules_version: u32,
    pub(super) max_turns: u32,
    pub(super) turns_taken: u32,
    /// Turns since the last capture or Conjure (LM-44).
    pub(super) quiet_turns: u32,
    pub(super) ending: Option<Ending<Reason>>,
    /// The current position and all earlier ones.
    history: History,
}

impl State {
    /// Returns the opening; `options` have been checked.
    pub(super) fn opening(options: &Options, rules_version: u32) -> Self {
        Self {
            rules_version,
            max_turns: options.max_turns,
            turns_taken: 0,
            quiet_turns: 0,
            ending: None,
            history: History::of(&options.position()),
        }
    }

    /// Returns the current position.
    pub(super) fn position(&self) -> &Position {
        self.history.position()
    }

    /// Returns how many times the current position has occurred, including now (LM-43).
    pub(super) fn occurrences(&self) -> u32 {
        self.history.occurrences()
    }

    /// Returns the state after a legal move, with the turn counted and the end tested, and the change of
    /// material.
    pub(super) fn after(&self, mv: Move) -> (Self, Change) {
        let mut position = *self.position();
        let change = position.apply(mv);
        let mut after = Self {
            rules_version: self.rules_version,
            max_turns: self.max_turns,
            turns_taken: self.turns_taken + 1,
            quiet_turns: if change == Change::None { self.quiet_turns + 1 } else { 0 },
            ending: None,
            history: self.history.extended(&position, change),
        };
        let turn = Turn {
            change,
            occurrences: after.occurrences(),
            quiet_turns: after.quiet_turns,
            turns_taken: after.turns_taken,
            max_turns: after.max_turns,
        };
        after.ending = ending::after_turn(after.position(), &turn);
        (after, change)
    }

    /// Returns the bytes for the position's digest: counters, mana, and a byte per place, cells first.
    pub(super) fn canonical(&self) -> Vec<u8> {
        let Position { board, mana, to_act } = self.position();
        let mut bytes = Vec::with_capacity(29 + 145);
        let numbers =
            [self.rules_version, self.max_turns, self.turns_taken, self.quiet_turns, self.occurrences()];
        for number in numbers.into_iter().chain(mana.iter().map(|(_, &mana)| mana)) {
            bytes.extend(number.to_be_bytes());
        }
        bytes.push(u8::from(*to_act == Side::One));
        bytes.extend(Place::all().map(|place| {
            board.at(place).map_or(0, |piece| match piece.seat {
                Side::Zero => 1 + piece.kind.index(),
                Side::One => 9 + piece.kind.index(),
            })
        }));
        bytes
    }
}
