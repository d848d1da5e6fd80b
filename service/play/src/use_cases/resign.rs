//! `Resign`: a seat gives the match up.

use wire::v1 as proto;

use super::seat_call::Act;
use crate::{Caller, Play, Refusal};

impl Play {
    /// The other seat wins.
    pub async fn resign(
        &self,
        caller: &Caller,
        request: proto::ResignRequest,
    ) -> Result<proto::ResignResponse, Refusal> {
        let acted = self.act(caller, &request.match_id, request.request_id.as_deref(), Act::Resign).await?;
        Ok(proto::ResignResponse { events: acted.events, view: acted.view })
    }
}
