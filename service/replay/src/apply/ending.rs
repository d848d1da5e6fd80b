//! How a match ends: by its rules, by its seats or by its clocks; and the draw offers before that (G-4).

use event::Sealed;
use rules::{Seat, Seats, State};
use wire::ServiceReason;
use wire::log::v1 as log;
use wire::v1 as proto;

use super::Effect;
use crate::applied::DecodedPart;
use crate::position::{Finished, sealed_seats};
use crate::{Fault, MatchPhase, Position, convert};

impl Position {
    pub(super) fn offer_draw(&mut self, offered: &log::DrawOffered) -> Result<Effect, Fault> {
        let seat = convert::seat_from_wire(offered.seat).ok_or(Fault::Undecodable)?;
        let playing = self.playing()?;
        if !playing.draws.may_offer(seat) {
            return Err(Fault::OutOfPlace);
        }
        playing.draws.offer(seat);
        Ok(Effect::NONE)
    }

    pub(super) fn decline_draw(&mut self, declined: &log::DrawDeclined) -> Result<Effect, Fault> {
        let seat = convert::seat_from_wire(declined.seat).ok_or(Fault::Undecodable)?;
        let playing = self.playing()?;
        if playing.draws.pending() != Some(seat.other()) {
            return Err(Fault::OutOfPlace);
        }
        playing.draws.decline(seat);
        Ok(Effect::NONE)
    }

    pub(super) fn end(&mut self, end: &log::MatchEnded) -> Result<Effect, Fault> {
        let opened = Sealed::opening(&end.opened_seed, self.seed_commitment());
        let seed = opened.ok_or(Fault::WrongOpening)?;
        let result = end.result.clone().ok_or(Fault::Undecodable)?;
        if !self.may_end(end.ended_by(), &result) {
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
    fn may_end(&self, by: log::EndedBy, result: &proto::Result) -> bool {
        match by {
            log::EndedBy::Unspecified => false,
            log::EndedBy::Rules => {
                let running = self.playing_now();
                running.and_then(|playing| rules_result(&playing.state)).as_ref() == Some(result)
            }
            log::EndedBy::Service => self.may_end_by_deadline(result),
            log::EndedBy::SeatZero => self.may_end_by_seat(Seat::Zero, result),
            log::EndedBy::SeatOne => self.may_end_by_seat(Seat::One, result),
        }
    }

    fn may_end_by_deadline(&self, result: &proto::Result) -> bool {
        match ServiceReason::parse(&result.reason) {
            Some(ServiceReason::Time) => {
                let clocks = self.playing_now().and_then(|playing| playing.clocks.as_ref());
                let late = clocks.and_then(|clocks| clocks.overdue(self.record_time));
                late.is_some_and(|late| wins(result, late.winner()))
            }
            Some(ServiceReason::Expired) => result.winner.is_none() && matches!(self.phase, MatchPhase::Open),
            Some(ServiceReason::Resignation | ServiceReason::Agreement | ServiceReason::Aborted) | None => {
                false
            }
        }
    }

    fn may_end_by_seat(&self, seat: Seat, result: &proto::Result) -> bool {
        let nobody_wins = result.winner.is_none();
        match ServiceReason::parse(&result.reason) {
            Some(ServiceReason::Resignation) => {
                self.playing_now().is_some() && wins(result, Some(seat.other()))
            }
            Some(ServiceReason::Agreement) => nobody_wins && self.draw_offered_by() == Some(seat.other()),
            Some(ServiceReason::Aborted) => nobody_wins && self.seating(seat).is_some() && self.may_abort(),
            Some(ServiceReason::Time | ServiceReason::Expired) | None => false,
        }
    }
}

fn wins(result: &proto::Result, seat: Option<Seat>) -> bool {
    result.winner == seat.map(|seat| convert::seat_to_wire(seat).into())
}

/// Returns the result that the rules give, or `None` if they let play go on.
pub(crate) fn rules_result(state: &State) -> Option<proto::Result> {
    state.ending().map(|ending| proto::Result {
        winner: ending.winner.map(|seat| convert::seat_to_wire(seat).into()),
        reason: ending.reason.as_str().to_owned(),
    })
}
