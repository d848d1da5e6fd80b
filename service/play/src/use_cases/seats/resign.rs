//! `Resign`: a seat gives up.

use wire::v1 as proto;

use super::seat_action::SeatAction;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Resigns; the other seat wins.
    pub async fn resign(
        &self,
        caller: &Caller,
        request: proto::ResignRequest,
    ) -> Result<proto::ResignResponse, Refusal> {
        let call = self.read_call(caller, &request.match_id, request.request_id.as_deref())?;
        let (events, view) = self.act(call, SeatAction::Resign).await?;
        Ok(proto::ResignResponse { events, view })
    }
}
