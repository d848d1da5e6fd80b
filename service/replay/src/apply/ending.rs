//! How a match ends: by its rules, by its seats or by its clocks (G-4).

use event::{Sealed, Seat, Seats};
use wire::ServiceReason;
use wire::log::v1 as log;

use super::Effect;
use crate::applied::DecodedPart;
use crate::position::{Finished, sealed_seats};
use crate::{Fault, GameState, MatchPhase, Position, ProposalKind, convert};

impl Position {
    pub(super) fn end(&mut self, end: &log::MatchEnded) -> Result<Effect, Fault> {
        let opened = Sealed::opening(&end.opened_seed, self.seed_commitment());
        let seed = opened.ok_or(Fault::WrongOpening)?;
        let result = end.result.clone().ok_or(Fault::Undecodable)?;
        let by = end.seat.map(|number| self.seat(Some(number))).transpose()?;
        if !self.may_end(end, by, &result) {
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
    fn may_end(&self, end: &log::MatchEnded, by: Option<Seat>, result: &log::MatchResult) -> bool {
        match (end.ended_by(), by) {
            (log::EndedBy::Rules, None) => {
                let running = self.playing_now();
                running.and_then(|playing| self.rules_result(&playing.state)).as_ref() == Some(result)
            }
            (log::EndedBy::Service, None) => self.may_end_by_deadline(result),
            (log::EndedBy::Seat, Some(seat)) => !self.is_end_due() && self.may_end_by_seat(seat, result),
            _ => false,
        }
    }

    fn may_end_by_deadline(&self, result: &log::MatchResult) -> bool {
        let expected = match ServiceReason::parse(&result.reason) {
            Some(ServiceReason::Time) => {
                let clocks = self.playing_now().and_then(|playing| playing.clocks.as_ref());
                let late = clocks.and_then(|clocks| clocks.overdue(self.record_time));
                late.map(|late| self.lost_by(late, &result.reason))
            }
            Some(ServiceReason::Expired) => {
                let waits = matches!(self.phase, MatchPhase::Open) && !self.is_full();
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
                let running = self.playing_now();
                running.map(|_| self.lost_by(Seats::only(seat), &result.reason))
            }
            Some(ServiceReason::Agreement) => {
                let accepts = self.may_answer(ProposalKind::Draw, seat);
                accepts.then(|| self.drawn(&result.reason))
            }
            Some(ServiceReason::Aborted) => {
                let allowed = self.seating(seat).is_some() && self.may_abort();
                allowed.then(|| convert::no_result_to_log(&result.reason))
            }
            Some(ServiceReason::Time | ServiceReason::Expired) | None => None,
        };
        expected.as_ref() == Some(result)
    }

    /// Returns the result that the rules give, or `None` if they let play go on.
    pub(crate) fn rules_result(&self, state: &GameState) -> Option<log::MatchResult> {
        let (winners, reason) = state.ending()?;
        Some(convert::result_to_log(self.seats.len(), winners, reason.as_str()))
    }

    /// Returns the result of a match that these seats lost other than by the rules: the others share the
    /// first rank. If every seat lost it is a draw.
    pub(crate) fn lost_by(&self, losers: Seats, reason: &str) -> log::MatchResult {
        let winners = self.seats.seats().collect::<Seats>().without(losers);
        convert::result_to_log(self.seats.len(), winners, reason)
    }

    /// Returns the result of a draw.
    pub(crate) fn drawn(&self, reason: &str) -> log::MatchResult {
        convert::result_to_log(self.seats.len(), Seats::NONE, reason)
    }
}
