//! When a match is over and who has won (LM-40 to LM-45), tested after each turn in that order.

use super::offer;
use super::piece::Kind;
use super::position::{Change, Position};
use super::set::adjacent;
use super::state::State;
use crate::{Ending, Seat};

/// Turns without a capture or a Conjure that make a draw (LM-44).
pub(super) const QUIET_LIMIT: u32 = 100;

/// Times that a position stands until it makes a draw (G-3, LM-43).
const REPETITION_LIMIT: u32 = 3;

/// What ended a match.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    MagusCaptured { winner: Seat },
    Bind { winner: Seat },
    NoMove,
    Repetition,
    Quiet,
    MaxTurns,
}

impl End {
    pub(super) const fn told(self) -> Ending {
        match self {
            Self::MagusCaptured { winner } => Ending { winner: Some(winner), reason: "magus-captured" },
            Self::Bind { winner } => Ending { winner: Some(winner), reason: "bind" },
            Self::NoMove => Ending { winner: None, reason: "no-move" },
            Self::Repetition => Ending { winner: None, reason: "repetition" },
            Self::Quiet => Ending { winner: None, reason: "quiet" },
            Self::MaxTurns => Ending { winner: None, reason: "max-turns" },
        }
    }
}

/// The end that the turn just taken has brought. The state has everything of the new position counted.
pub(super) fn after_turn(state: &State, change: Change) -> Option<End> {
    let position = state.position();
    let opponent = position.to_act;
    let mover = opponent.other();
    if matches!(change, Change::Captured(piece) if piece.kind == Kind::Magus) {
        Some(End::MagusCaptured { winner: mover })
    } else if is_bound(position, opponent) {
        Some(End::Bind { winner: mover })
    } else if is_bound(position, mover) {
        Some(End::Bind { winner: opponent })
    } else if !offer::has_move(position) {
        Some(End::NoMove)
    } else if state.stood() >= REPETITION_LIMIT {
        Some(End::Repetition)
    } else if state.quiet_turns >= QUIET_LIMIT {
        Some(End::Quiet)
    } else if state.turns_taken >= state.max_turns {
        Some(End::MaxTurns)
    } else {
        None
    }
}

/// Whether the seat's Magus is bound (LM-41).
pub(super) fn is_bound(position: &Position, seat: Seat) -> bool {
    let Some(magus) = position.magus(seat) else { return false };
    let plane = magus.plane().other();
    let around = adjacent(plane, magus);
    let field = position.board.field(plane);
    // An edge point has fewer than four octagonal neighbours. They are counted last: this is asked every turn, and seldom
    // are all of them enemies.
    if around & field.elements(seat.other()) != around || around.count_ones() < 4 {
        return false;
    }
    let counts = Kind::MOVING.map(|kind| (field.of_kind(seat.other(), kind) & around).count_ones());
    // Each Aether stands for what is missing: the others are all different, or all the same.
    let all_different = counts.iter().all(|&count| count <= 1);
    let all_same = counts.iter().filter(|&&count| count > 0).count() <= 1;
    all_different || all_same
}
