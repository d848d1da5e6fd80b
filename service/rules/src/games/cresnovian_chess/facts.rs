//! The facts of a move in the order in which they happen. All of them are public (CC-7).

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::field::Condition;
use super::field::poem::{PoemChange, Word};
use super::field::square::{Kingdom, Square};
use super::field::umbration::{Ability, Umbration};
use super::state::Deed;
use crate::{BySide, Side};

/// Something that a move brought about.
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
        /// The seat whose turn it was.
        seat: Side,
        /// The piece.
        piece: Umbration,
        /// Its square before.
        from: Square,
        /// Its square now.
        to: Square,
    },
    /// A piece performs; the effects follow as facts of their own (CC-31).
    Performed {
        /// The seat whose turn it was.
        seat: Side,
        /// The performer; Caprice in a Dance.
        performer: Umbration,
        /// The performer's ability.
        ability: Ability,
        /// In a Dance, the ability that is used (CC-54).
        danced: Option<Ability>,
        /// Whether the performer pays afterwards.
        cost: Cost,
    },
    /// A broken piece performs Repair; its change of status follows (CC-32).
    Repaired {
        /// The seat whose turn it was.
        seat: Side,
        /// The piece.
        piece: Umbration,
        /// Whether the piece pays afterwards.
        cost: Cost,
    },
    /// A seat documents; the poem's change and the gains follow (CC-60).
    Documented {
        /// The seat whose turn it was.
        seat: Side,
    },
    /// A seat passed because nothing else was legal (CC-72).
    Passed {
        /// The seat whose turn it was.
        seat: Side,
    },
    /// The previous turn is undone; every difference follows as a fact of its own (CC-46).
    Rewound {
        /// The kind of turn that is undone.
        deed: Deed,
    },
    /// A piece moved other than by travel. The moves of a flock are simultaneous.
    PieceMoved {
        /// The piece.
        piece: Umbration,
        /// Its square before.
        from: Square,
        /// Its square now.
        to: Square,
    },
    /// A piece's Q or status changed.
    PieceChanged {
        /// The piece.
        piece: Umbration,
        /// Its condition before.
        from: Condition,
        /// Its condition now, always different.
        to: Condition,
    },
    /// A monument rose.
    MonumentBuilt {
        /// Its square.
        square: Square,
        /// Its umbration.
        umbration: Umbration,
    },
    /// A monument vanished.
    MonumentDestroyed {
        /// Its square.
        square: Square,
        /// Its umbration.
        umbration: Umbration,
    },
    /// A monument was moved.
    MonumentMoved {
        /// Its umbration.
        umbration: Umbration,
        /// Its square before.
        from: Square,
        /// Its square now.
        to: Square,
    },
    /// The word was taken off the field.
    WordLifted {
        /// Its square before.
        square: Square,
        /// The word.
        word: Word,
    },
    /// A word was placed on the field.
    WordLaid {
        /// Its square.
        square: Square,
        /// The word.
        word: Word,
    },
    /// Words were removed from the poem, inserted, or both at one index.
    PoemChanged(Arc<PoemChange>),
    /// The turn is over.
    TurnTaken {
        /// The turn's number, from 1.
        turn: u32,
        /// The kind of turn, which a rewind would undo.
        deed: Deed,
        /// The Q in each seat's kingdom now.
        totals: BySide<u32>,
        /// The piece locked in the next turn because it traveled in this one (CC-21).
        locked: Option<Umbration>,
        /// What is forbidden in the next turn because this turn undid it (CC-46).
        forbidden: Option<Deed>,
    },
}

/// The cost of a performance, decided before its effect (CC-31).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cost {
    /// At most 1Q of what is left. Void if the performer is eternal by then (CC-33): no change of its Q
    /// follows.
    One,
    /// Nothing: a monument of the performer's umbration is adjacent.
    Exempt,
}

/// The facts recorded so far in a move.
pub(super) type Facts = Vec<Fact>;
