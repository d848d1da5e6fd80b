//! `AbortMatch`: a seat calls off a match before any move.

use wire::v1 as proto;

use super::seat_action::SeatAction;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Aborts a match before any move; nobody wins.
    pub async fn abort_match(
        &self,
        caller: &Caller,
        request: proto::AbortMatchRequest,
    ) -> Result<proto::AbortMatchResponse, Refusal> {
        let call = self.read_call(caller, &request.match_id, request.request_id.as_deref())?;
        let (events, view) = self.act(call, SeatAction::Abort).await?;
        Ok(proto::AbortMatchResponse { events, view })
    }
}
