//! `DeclineDraw`: a seat declines the other seat's draw offer.

use wire::v1 as proto;

use super::seat_action::SeatAction;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Declines the other seat's offer. That seat can offer again only after its next move.
    pub async fn decline_draw(
        &self,
        caller: &Caller,
        request: proto::DeclineDrawRequest,
    ) -> Result<proto::DeclineDrawResponse, Refusal> {
        let call = self.read_call(caller, &request.match_id, request.request_id.as_deref())?;
        let (events, view) = self.act(call, SeatAction::DeclineDraw).await?;
        Ok(proto::DeclineDrawResponse { events, view })
    }
}
