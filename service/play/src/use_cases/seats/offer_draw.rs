//! `OfferDraw`: a seat offers a draw.

use wire::v1 as proto;

use super::seat_action::SeatAction;
use crate::{Caller, Play, Refusal};

impl Play {
    /// Offers a draw. The offer lapses when the other seat declines it or this seat moves.
    pub async fn offer_draw(
        &self,
        caller: &Caller,
        request: proto::OfferDrawRequest,
    ) -> Result<proto::OfferDrawResponse, Refusal> {
        let call = self.read_call(caller, &request.match_id, request.request_id.as_deref())?;
        let (events, view) = self.act(call, SeatAction::OfferDraw).await?;
        Ok(proto::OfferDrawResponse { events, view })
    }
}
