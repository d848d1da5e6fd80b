//! What a move brings about, told in the order in which it happens. All of it is public (CC-7).

use alloc::vec::Vec;

use super::field::Condition;
use super::field::poem::{PoemChange, Word};
use super::field::square::{Kingdom, Square};
use super::field::umbration::{Ability, Umbration};
use super::state::Deed;
use crate::{BySeat, Seat};

/// A thing that a move brought about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// A piece was placed with 3Q; the square is its home (CC-10).
    Placed {
        /// The piece.
        piece: Umbration,
        /// Its square.
        square: Square,
    },
    /// Player Two chose its kingdom; Player One has the other (CC-11).
    KingdomChosen {
        /// Player Two's kingdom.
        kingdom: Kingdom,
    },
    /// A piece traveled in a straight line (CC-20).
    Traveled {
        /// Whose turn it was.
        seat: Seat,
        /// The piece.
        piece: Umbration,
        /// Where it stood.
        from: Square,
        /// Where it stands now.
        to: Square,
    },
    /// A piece performs; what that does follows (CC-31).
    Performed {
        /// Whose turn it was.
        seat: Seat,
        /// The piece, Caprice in a Dance.
        performer: Umbration,
        /// Its ability.
        ability: Ability,
        /// In a Dance, the ability that is used (CC-54).
        danced: Option<Ability>,
        /// Whether it has to pay in the end.
        cost: Cost,
    },
    /// A broken piece performs Repair; that it is whole follows (CC-32).
    Repaired {
        /// Whose turn it was.
        seat: Seat,
        /// The piece.
        piece: Umbration,
        /// Whether it has to pay in the end.
        cost: Cost,
    },
    /// Words are written; the poem's change and what pieces gain follow (CC-60).
    Documented {
        /// Whose turn it was.
        seat: Seat,
    },
    /// A seat could do nothing else (CC-72).
    Passed {
        /// Whose turn it was.
        seat: Seat,
    },
    /// The turn before is undone; every difference follows as a fact of its own (CC-46).
    Rewound {
        /// What kind of turn is undone.
        deed: Deed,
    },
    /// A piece was moved otherwise than by travel. Several in a flock move all at once.
    PieceMoved {
        /// The piece.
        piece: Umbration,
        /// Where it stood.
        from: Square,
        /// Where it stands now.
        to: Square,
    },
    /// A piece's Q or status changed.
    PieceChanged {
        /// The piece.
        piece: Umbration,
        /// How it fared.
        from: Condition,
        /// How it fares now, never the same.
        to: Condition,
    },
    /// A monument rose.
    MonumentBuilt {
        /// Where.
        square: Square,
        /// Of which umbration.
        umbration: Umbration,
    },
    /// A monument vanished.
    MonumentDestroyed {
        /// Where.
        square: Square,
        /// Of which umbration.
        umbration: Umbration,
    },
    /// A monument was moved.
    MonumentMoved {
        /// Of which umbration.
        umbration: Umbration,
        /// Where it stood.
        from: Square,
        /// Where it stands now.
        to: Square,
    },
    /// The word was taken off the field.
    WordLifted {
        /// Where it stood.
        square: Square,
        /// The word.
        word: Word,
    },
    /// A word was placed on the field.
    WordLaid {
        /// Where.
        square: Square,
        /// The word.
        word: Word,
    },
    /// Words were taken out of the poem, put into it, or both at one place.
    PoemChanged(PoemChange),
    /// The turn is over.
    TurnTaken {
        /// Its number, from 1.
        turn: u32,
        /// What kind of turn it was: what a rewind would undo.
        deed: Deed,
        /// The Q in each seat's kingdom now.
        totals: BySeat<u32>,
        /// The piece that may not travel in the next turn, since it traveled in this one (CC-21).
        locked: Option<Umbration>,
        /// What may not be done again in the next turn, since this one undid it (CC-46).
        forbidden: Option<Deed>,
    },
}

/// What a performance costs, judged before its effect (CC-31).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cost {
    /// At most 1Q of what is left. Void if the performer is eternal by then (CC-33): no change of its Q follows.
    One,
    /// Nothing: a monument of the performer's umbration stands next to it.
    Exempt,
}

/// The facts of a move in the making.
pub(super) type Facts = Vec<Fact>;
