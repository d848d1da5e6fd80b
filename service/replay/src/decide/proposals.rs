//! Decides proposals and their answers. Callers ask the position first whether they are allowed; applying the
//! event rejects one that is not.

use event::Seat;
use wire::log::v1 as log;

use super::Decision;
use crate::{Entry, ProposalKind, ReplayError, convert};

impl Decision {
    /// Makes a seat's proposal to the other seats.
    pub fn propose(&mut self, seat: Seat, kind: ProposalKind) -> Result<(), ReplayError> {
        let entry = log::ProposalMade { seat: Some(convert::seat_to_wire(seat)), kind: kind.to_log().into() };
        self.push(&Entry::ProposalMade(entry), None)
    }

    /// Accepts another seat's proposal.
    pub fn accept(&mut self, seat: Seat, kind: ProposalKind) -> Result<(), ReplayError> {
        match kind {
            ProposalKind::Draw => self.agree(seat),
        }
    }

    /// Declines another seat's proposal.
    pub fn decline(&mut self, seat: Seat, kind: ProposalKind) -> Result<(), ReplayError> {
        let seat = Some(convert::seat_to_wire(seat));
        let entry = log::ProposalAnswered { seat, kind: kind.to_log().into(), accepted: false };
        self.push(&Entry::ProposalAnswered(entry), None)
    }
}
