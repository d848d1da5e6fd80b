//! Drafts of endings and of offers of a draw. Whether they may be made is for the caller to ask the position first; the
//! fold refuses what may not.

use event::Part as _;
use rules::Seat;
use wire::ServiceReason;
use wire::log::v1 as log;
use wire::v1 as proto;

use super::Draft;
use crate::fold::rules_result;
use crate::{Entry, Fault, ReplayError, convert};

impl Draft {
    /// A seat gives up: the other one wins.
    pub fn resign(&mut self, seat: Seat) -> Result<(), ReplayError> {
        self.end(result(Some(seat.other()), ServiceReason::Resignation), by(seat))
    }

    /// A seat offers a draw.
    pub fn offer_draw(&mut self, seat: Seat) -> Result<(), ReplayError> {
        let seat = convert::seat_to_wire(seat).into();
        self.push(&Entry::DrawOffered(log::DrawOffered { seat }), None)
    }

    /// A seat accepts the other's offer.
    pub fn accept_draw(&mut self, seat: Seat) -> Result<(), ReplayError> {
        self.end(result(None, ServiceReason::Agreement), by(seat))
    }

    /// A seat declines the other's offer.
    pub fn decline_draw(&mut self, seat: Seat) -> Result<(), ReplayError> {
        let seat = convert::seat_to_wire(seat).into();
        self.push(&Entry::DrawDeclined(log::DrawDeclined { seat }), None)
    }

    /// A seat calls the match off.
    pub fn abort(&mut self, seat: Seat) -> Result<(), ReplayError> {
        self.end(result(None, ServiceReason::Aborted), by(seat))
    }

    /// Time is over for a seat, or for both.
    pub fn end_on_time(&mut self) -> Result<(), ReplayError> {
        let late = self.position.overdue(self.arrival).ok_or_else(|| self.fault(Fault::OutOfPlace))?;
        self.end(result(late.winner(), ServiceReason::Time), log::EndedBy::Service)
    }

    /// Nobody came to play.
    pub fn expire(&mut self) -> Result<(), ReplayError> {
        self.end(result(None, ServiceReason::Expired), log::EndedBy::Service)
    }

    pub(super) fn end_by_rules(&mut self) -> Result<(), ReplayError> {
        match rules_result(&self.playing()?.state) {
            Some(result) => self.end(result, log::EndedBy::Rules),
            None => Ok(()),
        }
    }

    fn end(&mut self, result: proto::Result, ended_by: log::EndedBy) -> Result<(), ReplayError> {
        let seq = self.position.seq.next();
        let playing = self.position.playing_now();
        let digest = playing.map(|playing| self.digest(seq, playing, &playing.state)).transpose()?;
        let seed = self.position.created.seed.opened().ok_or_else(|| self.fault(Fault::SeedSealed))?;
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
