//! How a match ends: by its rules, by its seats, by its clocks; and the offers of a draw before that (G-4).

use event::{Part as _, Sealed};
use rules::{Seat, Seats, State};
use wire::ServiceReason;
use wire::log::v1 as log;
use wire::v1 as proto;

use super::Effect;
use crate::position::{Finished, waiting};
use crate::told::Opened;
use crate::{Fault, Phase, Position, convert};

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
        if playing.draws.standing() != Some(seat.other()) {
            return Err(Fault::OutOfPlace);
        }
        playing.draws.decline(seat);
        Ok(Effect::NONE)
    }

    pub(super) fn end(&mut self, end: &log::MatchEnded) -> Result<Effect, Fault> {
        let opened = Sealed::opening(&end.opened_seed, self.created.seed.commitment());
        let seed = opened.ok_or(Fault::WrongOpening)?;
        let result = end.result.clone().ok_or(Fault::Undecodable)?;
        if !self.may_end(end.ended_by(), &result) {
            return Err(Fault::WrongResult);
        }
        let finished = match &self.phase {
            Phase::Over(_) => return Err(Fault::OutOfPlace),
            Phase::Open if !end.state_digest.is_empty() => return Err(Fault::OutOfPlace),
            Phase::Open => {
                Finished { state: None, sealed: Seats::NONE, result, ended_time: self.recorded_time }
            }
            Phase::Running(playing) => {
                self.check_digest(&end.state_digest)?;
                let (state, sealed) = (Some(playing.state.clone()), waiting(&playing.sealed));
                Finished { state, sealed, result, ended_time: self.recorded_time }
            }
        };
        self.phase = Phase::Over(Box::new(finished));
        Ok(Effect::opening(Opened::SeedBytes(seed.secret().to_vec())))
    }

    /// Whether such an end fits the match as it stands.
    fn may_end(&self, by: log::EndedBy, result: &proto::Result) -> bool {
        let nobody = result.winner.is_none();
        let wins = |seat: Option<Seat>| result.winner == seat.map(|seat| convert::seat_to_wire(seat).into());
        let reason = ServiceReason::parse(&result.reason);
        let running = self.playing_now();
        let by_rules = running.and_then(|playing| rules_result(&playing.state));
        let seat = match by {
            log::EndedBy::Unspecified => return false,
            log::EndedBy::Rules => return by_rules.as_ref() == Some(result),
            log::EndedBy::Service => {
                let late = running.and_then(|playing| playing.clocks.as_ref());
                let late = late.and_then(|clocks| clocks.overdue(self.recorded_time));
                return match reason {
                    Some(ServiceReason::Time) => late.is_some_and(|late| wins(late.winner())),
                    Some(ServiceReason::Expired) => nobody && matches!(self.phase, Phase::Open),
                    Some(ServiceReason::Resignation | ServiceReason::Agreement | ServiceReason::Aborted)
                    | None => false,
                };
            }
            log::EndedBy::SeatZero => Seat::Zero,
            log::EndedBy::SeatOne => Seat::One,
        };
        match reason {
            Some(ServiceReason::Resignation) => running.is_some() && wins(Some(seat.other())),
            Some(ServiceReason::Agreement) => nobody && self.draw_offered_by() == Some(seat.other()),
            Some(ServiceReason::Aborted) => nobody && self.sitting(seat).is_some() && self.may_abort(),
            Some(ServiceReason::Time | ServiceReason::Expired) | None => false,
        }
    }
}

/// The result that the rules give, once they say that the match is over.
pub(crate) fn rules_result(state: &State) -> Option<proto::Result> {
    state.ending().map(|ending| proto::Result {
        winner: ending.winner.map(|seat| convert::seat_to_wire(seat).into()),
        reason: ending.reason.as_str().to_owned(),
    })
}
