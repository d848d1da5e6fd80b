//! When a match ends and who wins it (LM-40 to LM-45), tested after each turn in that order.

use super::board::bitboard::adjacent;
use super::board::piece::Kind;
use super::movegen;
use super::position::{Change, Position};
use crate::{Ending, Side};

/// Turns without a capture or a Conjure after which the match is drawn (LM-44).
pub(super) const QUIET_LIMIT: u32 = 100;

/// How often a position stands until the match is drawn (G-3, LM-43).
const REPETITION_LIMIT: u32 = 3;

/// Why the rules end a match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The loser's Magus was captured (LM-40).
    MagusCaptured,
    /// The loser's Magus is bound (LM-41).
    Bind,
    /// The seat to act has no legal move (LM-42).
    NoMove,
    /// The same position stood for the third time (LM-43).
    Repetition,
    /// 100 turns passed without a capture or a Conjure (LM-44).
    Quiet,
    /// The last turn has been taken (LM-45).
    MaxTurns,
}

impl Reason {
    /// Every reason, in the order in which they are tested.
    pub const ALL: [Self; 6] =
        [Self::MagusCaptured, Self::Bind, Self::NoMove, Self::Repetition, Self::Quiet, Self::MaxTurns];

    /// Returns the fixed word (G-7).
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MagusCaptured => "magus-captured",
            Self::Bind => "bind",
            Self::NoMove => "no-move",
            Self::Repetition => "repetition",
            Self::Quiet => "quiet",
            Self::MaxTurns => "max-turns",
        }
    }
}

/// A turn just taken, with all counters including it.
pub(super) struct Turn {
    pub(super) change: Change,
    /// How many times the new position has occurred.
    pub(super) occurrences: u32,
    pub(super) quiet_turns: u32,
    pub(super) turns_taken: u32,
    pub(super) max_turns: u32,
}

/// Returns how the turn that led to the position ended the match, if it did.
pub(super) fn after_turn(position: &Position, turn: &Turn) -> Option<Ending<Reason>> {
    let opponent = position.to_act;
    let mover = opponent.other();
    if matches!(turn.change, Change::Captured(piece) if piece.kind == Kind::Magus) {
        Some(Ending::won(mover, Reason::MagusCaptured))
    } else if is_bound(position, opponent) {
        Some(Ending::won(mover, Reason::Bind))
    } else if is_bound(position, mover) {
        Some(Ending::won(opponent, Reason::Bind))
    } else if !movegen::has_move(position) {
        Some(Ending::drawn(Reason::NoMove))
    } else if turn.occurrences >= REPETITION_LIMIT {
        Some(Ending::drawn(Reason::Repetition))
    } else if turn.quiet_turns >= QUIET_LIMIT {
        Some(Ending::drawn(Reason::Quiet))
    } else if turn.turns_taken >= turn.max_turns {
        Some(Ending::drawn(Reason::MaxTurns))
    } else {
        None
    }
}

/// Returns whether the seat's Magus is bound (LM-41).
pub(super) fn is_bound(position: &Position, seat: Side) -> bool {
    let Some(magus) = position.magus(seat) else { return false };
    let plane = magus.plane().other();
    let around = adjacent(plane, magus);
    let field = position.board.field(plane);
    // An edge point has fewer than four octagonal neighbours. Count them last: this runs every turn, and the
    // neighbours are rarely all enemies.
    if around & field.elements(seat.other()) != around || around.count_ones() < 4 {
        return false;
    }
    let counts = Kind::MOVING.map(|kind| (field.of_kind(seat.other(), kind) & around).count_ones());
    // Each Aether stands for a missing kind: the others are all different, or all the same.
    let all_different = counts.iter().all(|&count| count <= 1);
    let all_same = counts.iter().filter(|&&count| count > 0).count() <= 1;
    all_different || all_same
}
