//! An accepted takeback: play returns to the state before the taken turn (G-10).

use std::sync::Arc;

use event::Seat;
use wire::log::v1 as log;

use super::Effect;
use crate::clock::Clocks;
use crate::position::Playing;
use crate::proposals::read_kind;
use crate::{Fault, GameState, Position, ProposalKind};

/// What taking back a move needs.
pub(crate) struct MoveUndo {
    /// The state before the move.
    pub state: GameState,
    /// The clocks right after the move, none of them running.
    pub clocks: Option<Clocks>,
}

impl Position {
    /// Checks a proposal beyond what holds for every kind.
    pub(super) fn propose(&mut self, proposal: &log::ProposalMade) -> Result<Effect, Fault> {
        let seat = self.seat(proposal.seat)?;
        let kind = read_kind(proposal.kind)?;
        self.playing()?;
        if kind == ProposalKind::Takeback && self.check_takeback(seat).is_err() {
            return Err(Fault::OutOfPlace);
        }
        Ok(Effect::NONE)
    }

    /// Carries out an answer to a proposal that was open. `asked` is the seat that had proposed a takeback.
    pub(super) fn answer(
        &mut self,
        answer: &log::ProposalAnswered,
        asked: Option<Seat>,
    ) -> Result<Effect, Fault> {
        let at = self.record_time;
        self.seat(answer.seat)?;
        let playing = self.playing()?;
        if !answer.accepted {
            return Ok(Effect::NONE);
        }
        let moves_taken_back = asked.and_then(|seat| playing.take_back(seat)).ok_or(Fault::OutOfPlace)?;
        playing.run_clocks(at);
        self.check_digest(&answer.state_digest)?;
        Ok(Effect { moves_taken_back, ..Effect::NONE })
    }
}

impl Playing {
    /// Remembers a move that was just made, while no clock runs.
    pub(super) fn remember_move(&mut self, seat: Seat, before: GameState) {
        if let Some(recent) = &mut self.recent_moves {
            let clocks = self.clocks.clone();
            recent.record(seat, Arc::new(MoveUndo { state: before, clocks }));
        }
    }

    /// Returns to the state before the seat's last move, and stops the clocks. Returns the number of moves
    /// taken back.
    fn take_back(&mut self, seat: Seat) -> Option<usize> {
        let taken = self.recent_moves.as_mut()?.take_back(seat)?;
        self.clocks = taken.first.clocks.clone();
        self.state = taken.first.state.clone();
        Some(taken.moves)
    }
}
