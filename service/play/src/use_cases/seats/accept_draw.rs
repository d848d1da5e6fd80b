//! `AcceptDraw`: a seat accepts the other seat's draw offer.

use wire::v1 as proto;

use super::seat_action::SeatAction;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Accepts the other seat's offer, which ends the match in a draw.
    pub async fn accept_draw(
        &self,
        caller: &Caller,
        request: proto::AcceptDrawRequest,
    ) -> Result<proto::AcceptDrawResponse, Refusal> {
        let call = self.read_call(caller, &request.match_id, request.request_id.as_deref())?;
        let (events, view) = self.act(call, SeatAction::AcceptDraw).await?;
        Ok(proto::AcceptDrawResponse { events, view })
    }
}
