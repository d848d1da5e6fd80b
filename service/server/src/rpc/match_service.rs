//! `MatchService`: everything about matches.

use std::sync::Arc;

use play::{Play, Watch};
use tonic::{Request, Response, Status};
use wire::v1;
use wire::v1::match_service_server::MatchService;

use super::outgoing::Outgoing;
use super::{answer, opened};
use crate::metrics::Calls;
use crate::payer::Payer;
use crate::status;
use crate::watch_places::WatchPlaces;

/// The RPCs of `MatchService`.
pub(crate) struct MatchRpcs {
    play: Play,
    watch_places: WatchPlaces,
    calls: Arc<Calls>,
}

impl MatchRpcs {
    /// The matches of this play.
    pub(crate) fn new(play: Play, watch_places: WatchPlaces, calls: Arc<Calls>) -> Self {
        Self { play, watch_places, calls }
    }
}

#[tonic::async_trait]
impl MatchService for MatchRpcs {
    type WatchMatchStream = Outgoing<Watch>;

    async fn create_match(
        &self,
        request: Request<v1::CreateMatchRequest>,
    ) -> Result<Response<v1::CreateMatchResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.create_match(&caller, request).await)
    }

    async fn claim_seat(
        &self,
        request: Request<v1::ClaimSeatRequest>,
    ) -> Result<Response<v1::ClaimSeatResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.claim_seat(&caller, request).await)
    }

    async fn rotate_seat_token(
        &self,
        request: Request<v1::RotateSeatTokenRequest>,
    ) -> Result<Response<v1::RotateSeatTokenResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.rotate_seat_token(&caller, request).await)
    }

    async fn list_matches(
        &self,
        request: Request<v1::ListMatchesRequest>,
    ) -> Result<Response<v1::ListMatchesResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.list_matches(&caller, request).await)
    }

    async fn get_match(
        &self,
        request: Request<v1::GetMatchRequest>,
    ) -> Result<Response<v1::GetMatchResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.get_match(&caller, request).await)
    }

    async fn get_view(
        &self,
        request: Request<v1::GetViewRequest>,
    ) -> Result<Response<v1::GetViewResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.get_view(&caller, request).await)
    }

    async fn list_legal_moves(
        &self,
        request: Request<v1::ListLegalMovesRequest>,
    ) -> Result<Response<v1::ListLegalMovesResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.list_legal_moves(&caller, request).await)
    }

    async fn get_choices(
        &self,
        request: Request<v1::GetChoicesRequest>,
    ) -> Result<Response<v1::GetChoicesResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.get_choices(&caller, request).await)
    }

    async fn check_move(
        &self,
        request: Request<v1::CheckMoveRequest>,
    ) -> Result<Response<v1::CheckMoveResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.check_move(&caller, request).await)
    }

    async fn sample_move(
        &self,
        request: Request<v1::SampleMoveRequest>,
    ) -> Result<Response<v1::SampleMoveResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.sample_move(&caller, request).await)
    }

    async fn submit_move(
        &self,
        request: Request<v1::SubmitMoveRequest>,
    ) -> Result<Response<v1::SubmitMoveResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.submit_move(&caller, request).await)
    }

    async fn resign(
        &self,
        request: Request<v1::ResignRequest>,
    ) -> Result<Response<v1::ResignResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.resign(&caller, request).await)
    }

    async fn offer_draw(
        &self,
        request: Request<v1::OfferDrawRequest>,
    ) -> Result<Response<v1::OfferDrawResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.offer_draw(&caller, request).await)
    }

    async fn accept_draw(
        &self,
        request: Request<v1::AcceptDrawRequest>,
    ) -> Result<Response<v1::AcceptDrawResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.accept_draw(&caller, request).await)
    }

    async fn decline_draw(
        &self,
        request: Request<v1::DeclineDrawRequest>,
    ) -> Result<Response<v1::DeclineDrawResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.decline_draw(&caller, request).await)
    }

    async fn abort_match(
        &self,
        request: Request<v1::AbortMatchRequest>,
    ) -> Result<Response<v1::AbortMatchResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.abort_match(&caller, request).await)
    }

    async fn fork_match(
        &self,
        request: Request<v1::ForkMatchRequest>,
    ) -> Result<Response<v1::ForkMatchResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.fork_match(&caller, request).await)
    }

    async fn create_rematch(
        &self,
        request: Request<v1::CreateRematchRequest>,
    ) -> Result<Response<v1::CreateRematchResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.create_rematch(&caller, request).await)
    }

    async fn list_events(
        &self,
        request: Request<v1::ListEventsRequest>,
    ) -> Result<Response<v1::ListEventsResponse>, Status> {
        let (caller, request) = opened(request)?;
        answer(self.play.list_events(&caller, request).await)
    }

    async fn watch_match(
        &self,
        request: Request<v1::WatchMatchRequest>,
    ) -> Result<Response<Outgoing<Watch>>, Status> {
        // The door has put it there.
        let payer = request.extensions().get().copied().unwrap_or(Payer::Here);
        let place = self.watch_places.take(payer).map_err(|refusal| status::of(&refusal))?;
        let (caller, request) = opened(request)?;
        let watch = self.play.watch_match(&caller, request).await;
        answer(watch.map(|watch| Outgoing::new(watch, place, Arc::clone(&self.calls))))
    }
}
