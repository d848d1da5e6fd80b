//! How a match ends: by its rules, by its seats or by its clocks (G-4).

use event::Sealed;
use rules::{Seat, Seats, State};
use wire::ServiceReason;
use wire::log::v1 as log;

use super::Effect;
use crate::applied::DecodedPart;
use crate::position::{Finished, sealed_seats};
use crate::{Fault, MatchPhase, Position, ProposalKind, convert};

impl Position {
    pub(super) fn end(&mut self, end: &log::MatchEnded) -> Result<Effect, Fault> {
        let opened = Sealed::opening(&end.opened_seed, self.seed_commitment());
        let seed = opened.ok_or(Fault::WrongOpening)?;
        let result = end.result.clone().ok_or(Fault::Undecodable)?;
        if !self.may_end(end, &result) {
            return Err(Fault::WrongResult);
        }
        let finished = match &self.phase {
            MatchPhase::Over(_) => return Err(Fault::OutOfPlace),
            MatchPhase::Open if !end.state_digest.is_empty() => return Err(Fault::OutOfPlace),
            MatchPhase::Open => {
                Finished { state: None, sealed: Seats::NONE, result, end_time: self.record_time }
            }
            MatchPhase::Running(playing) => {
                self.check_digest(&end.state_digest)?;
                let (state, sealed) = (Some(playing.state.clone()), sealed_seats(&playing.sealed));
                Finished { state, sealed, result, end_time: self.record_time }
            }
        };
        self.phase = MatchPhase::Over(Box::new(finished));
        Ok(Effect::opening(DecodedPart::SeedBytes(seed.secret().to_vec())))
    }

    /// Returns whether the match can end here with this result.
    fn may_end(&self, end: &log::MatchEnded, result: &log::MatchResult) -> bool {
        let seat = end.seat.map(convert::seat_from_wire);
        match (end.ended_by(), seat) {
            (log::EndedBy::Rules, None) => {
                let running = self.playing_now();
                running.and_then(|playing| rules_result(&playing.state)).as_ref() == Some(result)
            }
            (log::EndedBy::Service, None) => self.may_end_by_deadline(result),
            (log::EndedBy::Seat, Some(Some(seat))) => self.may_end_by_seat(seat, result),
            _ => false,
        }
    }

    fn may_end_by_deadline(&self, result: &log::MatchResult) -> bool {
        let expected = match ServiceReason::parse(&result.reason) {
            Some(ServiceReason::Time) => {
                let clocks = self.playing_now().and_then(|playing| playing.clocks.as_ref());
                let late = clocks.and_then(|clocks| clocks.overdue(self.record_time));
                late.map(|late| convert::result_to_log(late.winner(), &result.reason))
            }
            Some(ServiceReason::Expired) => {
                let is_free = |seat: &Seat| self.seating(*seat).is_none();
                let waits = matches!(self.phase, MatchPhase::Open) && Seat::ALL.iter().any(is_free);
                waits.then(|| convert::no_result_to_log(&result.reason))
            }
            Some(ServiceReason::Resignation | ServiceReason::Agreement | ServiceReason::Aborted) | None => {
                None
            }
        };
        expected.as_ref() == Some(result)
    }

    fn may_end_by_seat(&self, seat: Seat, result: &log::MatchResult) -> bool {
        let expected = match ServiceReason::parse(&result.reason) {
            Some(ServiceReason::Resignation) => {
                let winner = self.playing_now().map(|_| seat.other());
                winner.map(|winner| convert::result_to_log(Some(winner), &result.reason))
            }
            Some(ServiceReason::Agreement) => {
                let offered = self.proposed_by(ProposalKind::Draw) == Some(seat.other());
                offered.then(|| convert::result_to_log(None, &result.reason))
            }
            Some(ServiceReason::Aborted) => {
                let allowed = self.seating(seat).is_some() && self.may_abort();
                allowed.then(|| convert::no_result_to_log(&result.reason))
            }
            Some(ServiceReason::Time | ServiceReason::Expired) | None => None,
        };
        expected.as_ref() == Some(result)
    }
}

/// Returns the result that the rules give, or `None` if they let play go on.
pub(crate) fn rules_result(state: &State) -> Option<log::MatchResult> {
    state.ending().map(|ending| convert::result_to_log(ending.winner, ending.reason.as_str()))
}
