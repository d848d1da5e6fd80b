//! Decides endings and draw offers. Callers ask the position first whether they are allowed; applying the
//! event rejects one that is not.

use event::Part as _;
use rules::Seat;
use wire::ServiceReason;
use wire::log::v1 as log;
use wire::v1 as proto;

use super::Decision;
use crate::apply::rules_result;
use crate::{Entry, Fault, ReplayError, convert};

impl Decision {
    /// Resigns for a seat, so the other seat wins.
    pub fn resign(&mut self, seat: Seat) -> Result<(), ReplayError> {
        self.end(result(Some(seat.other()), ServiceReason::Resignation), by(seat))
    }

    /// Offers a draw.
    pub fn offer_draw(&mut self, seat: Seat) -> Result<(), ReplayError> {
        let seat = convert::seat_to_wire(seat).into();
        self.push(&Entry::DrawOffered(log::DrawOffered { seat }), None)
    }

    /// Accepts the other seat's draw offer.
    pub fn accept_draw(&mut self, seat: Seat) -> Result<(), ReplayError> {
        self.end(result(None, ServiceReason::Agreement), by(seat))
    }

    /// Declines the other seat's draw offer.
    pub fn decline_draw(&mut self, seat: Seat) -> Result<(), ReplayError> {
        let seat = convert::seat_to_wire(seat).into();
        self.push(&Entry::DrawDeclined(log::DrawDeclined { seat }), None)
    }

    /// Aborts the match at a seat's request.
    pub fn abort(&mut self, seat: Seat) -> Result<(), ReplayError> {
        self.end(result(None, ServiceReason::Aborted), by(seat))
    }

    /// Ends the match because a seat, or both, ran out of time.
    pub fn end_on_time(&mut self) -> Result<(), ReplayError> {
        let late = self.position.overdue(self.arrival).ok_or_else(|| self.error(Fault::OutOfPlace))?;
        self.end(result(late.winner(), ServiceReason::Time), log::EndedBy::Service)
    }

    /// Ends a match whose seats were not both claimed in time.
    pub fn expire(&mut self) -> Result<(), ReplayError> {
        self.end(result(None, ServiceReason::Expired), log::EndedBy::Service)
    }

    /// Ends the match if the rules say so.
    pub(super) fn end_by_rules(&mut self) -> Result<(), ReplayError> {
        match rules_result(&self.playing()?.state) {
            Some(result) => self.end(result, log::EndedBy::Rules),
            None => Ok(()),
        }
    }

    fn end(&mut self, result: proto::Result, ended_by: log::EndedBy) -> Result<(), ReplayError> {
        let playing = self.position.playing_now();
        let digest = playing.map(|playing| self.digest(playing, &playing.state)).transpose()?;
        let seed = self.position.created.seed.opened().ok_or_else(|| self.error(Fault::SeedSealed))?;
        let entry = Entry::MatchEnded(log::MatchEnded {
            result: Some(result),
            ended_by: ended_by.into(),
            opened_seed: seed.as_bytes().to_vec(),
            state_digest: digest.unwrap_or_default(),
        });
        self.push(&entry, None)
    }
}

fn result(winner: Option<Seat>, reason: ServiceReason) -> proto::Result {
    let winner = winner.map(|seat| convert::seat_to_wire(seat).into());
    proto::Result { winner, reason: reason.as_str().to_owned() }
}

fn by(seat: Seat) -> log::EndedBy {
    match seat {
        Seat::Zero => log::EndedBy::SeatZero,
        Seat::One => log::EndedBy::SeatOne,
    }
}
