//! Decides proposals and their answers. Callers ask the position first whether they are allowed; applying the
//! event rejects one that is not.

use event::Seat;
use wire::log::v1 as log;

use super::Decision;
use crate::{Entry, Fault, ProposalKind, ReplayError, convert};

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
            ProposalKind::Takeback => self.take_back(seat),
        }
    }

    /// Declines another seat's proposal.
    pub fn decline(&mut self, seat: Seat, kind: ProposalKind) -> Result<(), ReplayError> {
        self.push_answer(seat, kind, None)
    }

    /// Agrees to take back the last move of the seat that proposed it.
    fn take_back(&mut self, seat: Seat) -> Result<(), ReplayError> {
        let playing = self.playing()?;
        let undo = self
            .position
            .proposed_by(ProposalKind::Takeback)
            .and_then(|asked| playing.recent_moves.as_ref()?.last_move(asked));
        let undo = undo.ok_or_else(|| self.error(Fault::OutOfPlace))?;
        let digest = self.digest(playing, &undo.state)?;
        self.push_answer(seat, ProposalKind::Takeback, Some(digest))
    }

    /// Pushes an answer, which accepts if there is a digest of the state that follows.
    fn push_answer(
        &mut self,
        seat: Seat,
        kind: ProposalKind,
        digest: Option<Vec<u8>>,
    ) -> Result<(), ReplayError> {
        let entry = log::ProposalAnswered {
            seat: Some(convert::seat_to_wire(seat)),
            kind: kind.to_log().into(),
            accepted: digest.is_some(),
            state_digest: digest.unwrap_or_default(),
        };
        self.push(&Entry::ProposalAnswered(entry), None)
    }
}
