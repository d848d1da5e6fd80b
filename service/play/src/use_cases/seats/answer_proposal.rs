//! `AnswerProposal`: a seat accepts or declines the other seat's proposal.

use wire::v1 as proto;

use super::seat_action::{Answer, SeatAction};
use crate::requests::fields;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Answers the other seat's proposal. To accept a draw ends the match, to accept a takeback returns to an
    /// earlier state. A seat whose proposal was declined can make another one of the same kind only after its
    /// next move.
    pub async fn answer_proposal(
        &self,
        caller: &Caller,
        request: proto::AnswerProposalRequest,
    ) -> Result<proto::AnswerProposalResponse, Refusal> {
        let call = self.read_call(caller, &request.match_id, request.request_id.as_deref())?;
        let kind = fields::proposal_kind("kind", request.kind)?;
        let answer = match request.accept {
            Some(true) => Answer::Accept,
            Some(false) => Answer::Decline,
            None => return Err(Refusal::field("accept", "must be true or false, the answer")),
        };
        let (events, view) = self.act(call, SeatAction::Answer(kind, answer)).await?;
        Ok(proto::AnswerProposalResponse { events, view })
    }
}
