//! `MakeProposal`: a seat proposes something to the other seat.

use wire::v1 as proto;

use super::seat_action::SeatAction;
use crate::requests::fields;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Makes a proposal. It lapses when the other seat declines it or this seat moves.
    pub async fn make_proposal(
        &self,
        caller: &Caller,
        request: proto::MakeProposalRequest,
    ) -> Result<proto::MakeProposalResponse, Refusal> {
        let call = self.read_call(caller, &request.match_id, request.request_id.as_deref())?;
        let kind = fields::proposal_kind("kind", request.kind)?;
        let (events, view) = self.act(call, SeatAction::Propose(kind)).await?;
        Ok(proto::MakeProposalResponse { events, view })
    }
}
