//! `OfferDraw`, `AcceptDraw`, `DeclineDraw`: the seats agree on a draw, or don't.

use wire::v1 as proto;

use super::seat_call::Act;
use crate::{Caller, Play, Refusal};

impl Play {
    /// The offer stands until it is answered or the seat moves.
    pub async fn offer_draw(
        &self,
        caller: &Caller,
        request: proto::OfferDrawRequest,
    ) -> Result<proto::OfferDrawResponse, Refusal> {
        let acted =
            self.act(caller, &request.match_id, request.request_id.as_deref(), Act::OfferDraw).await?;
        Ok(proto::OfferDrawResponse { events: acted.events, view: acted.view })
    }

    /// The match ends in a draw.
    pub async fn accept_draw(
        &self,
        caller: &Caller,
        request: proto::AcceptDrawRequest,
    ) -> Result<proto::AcceptDrawResponse, Refusal> {
        let acted =
            self.act(caller, &request.match_id, request.request_id.as_deref(), Act::AcceptDraw).await?;
        Ok(proto::AcceptDrawResponse { events: acted.events, view: acted.view })
    }

    /// The match goes on, and the other seat can't offer again before it has moved.
    pub async fn decline_draw(
        &self,
        caller: &Caller,
        request: proto::DeclineDrawRequest,
    ) -> Result<proto::DeclineDrawResponse, Refusal> {
        let acted =
            self.act(caller, &request.match_id, request.request_id.as_deref(), Act::DeclineDraw).await?;
        Ok(proto::DeclineDrawResponse { events: acted.events, view: acted.view })
    }
}
