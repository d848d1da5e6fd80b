//! Decides endings. Callers ask the position first whether they are allowed; applying the
//! event rejects one that is not.

use event::{Part as _, Seat, Seats};
use wire::ServiceReason;
use wire::log::v1 as log;

use super::Decision;
use crate::{Entry, Fault, ReplayError, convert};

/// Who ends a match.
#[derive(Clone, Copy)]
enum By {
    /// The rules, by the last move.
    Rules,
    /// A seat, other than by a move.
    Seat(Seat),
    /// The service, because a deadline passed.
    Service,
}

impl Decision {
    /// Resigns for a seat, which then ranks last; the others share the first rank.
    pub fn resign(&mut self, seat: Seat) -> Result<(), ReplayError> {
        let result = self.position.lost_by(Seats::only(seat), ServiceReason::Resignation.as_str());
        self.end(result, By::Seat(seat))
    }

    /// Agrees to another seat's proposal of a draw.
    pub(super) fn agree(&mut self, seat: Seat) -> Result<(), ReplayError> {
        self.end(self.position.drawn(ServiceReason::Agreement.as_str()), By::Seat(seat))
    }

    /// Aborts the match at a seat's request.
    pub fn abort(&mut self, seat: Seat) -> Result<(), ReplayError> {
        self.end(called_off(ServiceReason::Aborted), By::Seat(seat))
    }

    /// Ends the match because a seat ran out of time, or several at once.
    pub fn end_on_time(&mut self) -> Result<(), ReplayError> {
        let late = self.position.overdue(self.arrival).ok_or_else(|| self.error(Fault::OutOfPlace))?;
        self.end(self.position.lost_by(late, ServiceReason::Time.as_str()), By::Service)
    }

    /// Ends a match whose seats were not all claimed in time.
    pub fn expire(&mut self) -> Result<(), ReplayError> {
        self.end(called_off(ServiceReason::Expired), By::Service)
    }

    /// Ends the match if the rules say so.
    pub(super) fn end_by_rules(&mut self) -> Result<(), ReplayError> {
        match self.position.rules_result(&self.playing()?.state) {
            Some(result) => self.end(result, By::Rules),
            None => Ok(()),
        }
    }

    fn end(&mut self, result: log::MatchResult, by: By) -> Result<(), ReplayError> {
        let playing = self.position.playing_now();
        let digest = playing.map(|playing| self.digest(playing, &playing.state)).transpose()?;
        let seed = self.position.created.seed.opened().ok_or_else(|| self.error(Fault::SeedSealed))?;
        let entry = Entry::MatchEnded(log::MatchEnded {
            result: Some(result),
            ended_by: by.to_log().into(),
            seat: by.seat().map(convert::seat_to_wire),
            opened_seed: seed.as_bytes().to_vec(),
            state_digest: digest.unwrap_or_default(),
        });
        self.push(&entry, None)
    }
}

fn called_off(reason: ServiceReason) -> log::MatchResult {
    convert::no_result_to_log(reason.as_str())
}

impl By {
    fn to_log(self) -> log::EndedBy {
        match self {
            Self::Rules => log::EndedBy::Rules,
            Self::Seat(_) => log::EndedBy::Seat,
            Self::Service => log::EndedBy::Service,
        }
    }

    fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Rules | Self::Service => None,
        }
    }
}
