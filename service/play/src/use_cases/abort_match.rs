//! `AbortMatch`: a seat calls the match off before it has really begun.

use wire::v1 as proto;

use super::seat_call::Act;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Nobody wins.
    pub async fn abort_match(
        &self,
        caller: &Caller,
        request: proto::AbortMatchRequest,
    ) -> Result<proto::AbortMatchResponse, Refusal> {
        let acted = self.act(caller, &request.match_id, request.request_id.as_deref(), Act::Abort).await?;
        Ok(proto::AbortMatchResponse { events: acted.events, view: acted.view })
    }
}
