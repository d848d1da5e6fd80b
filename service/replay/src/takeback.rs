//! Which moves can be taken back by consent (G-10). Only the newest are remembered, and a match has a limited
//! number of takebacks, so that neither a live match nor a log grows without bound.

use std::collections::VecDeque;

use event::Seat;
use rules::GameInfo;

use crate::Position;

/// Number of the newest moves in effect that can be taken back.
pub const TAKEBACK_MOVES: usize = 8;

/// Number of takebacks that a match may have.
pub const MAX_TAKEBACKS: u32 = 100;

/// The newest moves in effect, oldest first, each with what it takes to take it back.
#[derive(Clone, Debug)]
pub struct RecentMoves<T> {
    moves: VecDeque<(Seat, T)>,
    takebacks: u32,
}

/// A turn that was taken back.
pub struct TakenBack<T> {
    /// What was remembered with its first move.
    pub first: T,
    /// The number of moves.
    pub moves: usize,
}

/// Why a seat can't take back a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoTakeback {
    /// The game has secrets, chance or simultaneous turns.
    Game,
    /// The match's terms forbid it.
    Terms,
    /// The match has had [`MAX_TAKEBACKS`].
    TooMany,
    /// The seat made none of the moves that can be taken back.
    NoMove,
}

impl<T> Default for RecentMoves<T> {
    fn default() -> Self {
        Self { moves: VecDeque::new(), takebacks: 0 }
    }
}

impl<T> RecentMoves<T> {
    /// Returns an empty list, unless the game or the terms forbid takebacks.
    pub fn of_match(game: &GameInfo, forbidden: bool) -> Option<Self> {
        (game.allows_takebacks() && !forbidden).then(Self::default)
    }

    /// Adds a move, and forgets the oldest one if there are too many.
    pub fn record(&mut self, seat: Seat, undo: T) {
        if self.moves.len() == TAKEBACK_MOVES {
            self.moves.pop_front();
        }
        self.moves.push_back((seat, undo));
    }

    /// Returns whether the seat may propose a takeback.
    pub fn check(&self, seat: Seat) -> Result<(), NoTakeback> {
        if self.takebacks >= MAX_TAKEBACKS {
            return Err(NoTakeback::TooMany);
        }
        self.last_of(seat).map(drop).ok_or(NoTakeback::NoMove)
    }

    /// Returns what was remembered with the seat's last move.
    pub fn last_move(&self, seat: Seat) -> Option<&T> {
        self.last_of(seat).map(|index| &self.moves[index].1)
    }

    /// Takes back the seat's last move and every later one.
    pub fn take_back(&mut self, seat: Seat) -> Option<TakenBack<T>> {
        let mut taken = self.moves.split_off(self.last_of(seat)?);
        let moves = taken.len();
        self.takebacks += 1;
        taken.pop_front().map(|(_, first)| TakenBack { first, moves })
    }

    fn last_of(&self, seat: Seat) -> Option<usize> {
        self.moves.iter().rposition(|(mover, _)| *mover == seat)
    }
}

impl Position {
    /// Returns whether a seat of a running match has a move that can be taken back.
    pub fn check_takeback(&self, seat: Seat) -> Result<(), NoTakeback> {
        if !self.created.rules.info().allows_takebacks() {
            return Err(NoTakeback::Game);
        }
        if self.created.given.forbid_takebacks {
            return Err(NoTakeback::Terms);
        }
        let recent = self.playing_now().and_then(|playing| playing.recent_moves.as_ref());
        recent.ok_or(NoTakeback::NoMove)?.check(seat)
    }
}
