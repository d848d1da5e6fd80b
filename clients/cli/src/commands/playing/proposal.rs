//! What `matchbook draw` and `matchbook takeback` share: making a proposal and answering one.

use matchbook_client::request_id;
use wire::v1::{AnswerProposalRequest, MakeProposalRequest, ProposalKind};

use crate::arguments::SeatName;
use crate::failure::Failure;
use crate::output::move_outcome;
use crate::session::Session;

/// A proposal to make, or an answer to the other seat's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProposalStep {
    Make,
    Accept,
    Decline,
}

/// Makes or answers a proposal for a seat and prints what came of it.
pub(super) async fn take_step(
    session: &Session,
    match_id: String,
    seat: Option<&SeatName>,
    kind: ProposalKind,
    step: ProposalStep,
) -> Result<(), Failure> {
    let client = session.seat_client(&match_id, seat).await?;
    let (kind, request_id) = (kind.into(), Some(request_id()));
    let (events, view) = match step {
        ProposalStep::Make => {
            let response = client.make_proposal(MakeProposalRequest { match_id, kind, request_id }).await?;
            session.output.json("MakeProposalResponse", &response)?;
            (response.events, response.view)
        }
        ProposalStep::Accept | ProposalStep::Decline => {
            let accept = Some(step == ProposalStep::Accept);
            let request = AnswerProposalRequest { match_id, kind, accept, request_id };
            let response = client.answer_proposal(request).await?;
            session.output.json("AnswerProposalResponse", &response)?;
            (response.events, response.view)
        }
    };
    session.output.text(&move_outcome(session, &events, view))
}
