//! `MatchService`: creating, playing and watching matches.

use std::sync::Arc;

use play::{Play, Watch};
use tonic::{Request, Response, Status, Streaming};
use wire::v1;
use wire::v1::match_service_server::MatchService;

use super::move_stream::{MoveAnswers, MoveCaller, MoveStreams};
use super::stream::GrpcStream;
use super::{ShownTo, caller, caller_and_message, rate_limit_key, respond};
use crate::admission::CallerStreams;
use crate::protocol::to_status;
use crate::telemetry::metrics::CallMetrics;

/// The RPCs of `MatchService`.
pub(super) struct MatchRpcs {
    play: Play,
    streams: CallerStreams,
    moves: Arc<MoveStreams>,
    metrics: Arc<CallMetrics>,
}

impl MatchRpcs {
    /// Serves the matches of `play`, with `streams` limiting the streams per caller.
    pub(super) fn new(
        play: Play,
        streams: CallerStreams,
        moves: MoveStreams,
        metrics: Arc<CallMetrics>,
    ) -> Self {
        Self { play, streams, moves: Arc::new(moves), metrics }
    }
}

#[tonic::async_trait]
impl MatchService for MatchRpcs {
    type SubmitMovesStream = GrpcStream<MoveAnswers>;
    type WatchMatchStream = GrpcStream<Watch>;

    async fn create_match(
        &self,
        request: Request<v1::CreateMatchRequest>,
    ) -> Result<Response<v1::CreateMatchResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.create_match(&caller, message).await)
    }

    async fn claim_seat(
        &self,
        request: Request<v1::ClaimSeatRequest>,
    ) -> Result<Response<v1::ClaimSeatResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.claim_seat(&caller, message).await)
    }

    async fn rotate_seat_token(
        &self,
        request: Request<v1::RotateSeatTokenRequest>,
    ) -> Result<Response<v1::RotateSeatTokenResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.rotate_seat_token(&caller, message).await)
    }

    async fn redact_player(
        &self,
        request: Request<v1::RedactPlayerRequest>,
    ) -> Result<Response<v1::RedactPlayerResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.redact_player(&caller, message).await)
    }

    async fn list_matches(
        &self,
        request: Request<v1::ListMatchesRequest>,
    ) -> Result<Response<v1::ListMatchesResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.list_matches(&caller, message).await)
    }

    async fn batch_get_matches(
        &self,
        request: Request<v1::BatchGetMatchesRequest>,
    ) -> Result<Response<v1::BatchGetMatchesResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.batch_get_matches(&caller, message).await)
    }

    async fn get_match(
        &self,
        request: Request<v1::GetMatchRequest>,
    ) -> Result<Response<v1::GetMatchResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.get_match(&caller, message).await)
    }

    async fn update_match_labels(
        &self,
        request: Request<v1::UpdateMatchLabelsRequest>,
    ) -> Result<Response<v1::UpdateMatchLabelsResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.update_match_labels(&caller, message).await)
    }

    async fn get_view(
        &self,
        request: Request<v1::GetViewRequest>,
    ) -> Result<Response<v1::GetViewResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.get_view(&caller, message).await)
    }

    async fn list_legal_moves(
        &self,
        request: Request<v1::ListLegalMovesRequest>,
    ) -> Result<Response<v1::ListLegalMovesResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.list_legal_moves(&caller, message).await)
    }

    async fn get_choices(
        &self,
        request: Request<v1::GetChoicesRequest>,
    ) -> Result<Response<v1::GetChoicesResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.get_choices(&caller, message).await)
    }

    async fn check_move(
        &self,
        request: Request<v1::CheckMoveRequest>,
    ) -> Result<Response<v1::CheckMoveResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.check_move(&caller, message).await)
    }

    async fn suggest_move(
        &self,
        request: Request<v1::SuggestMoveRequest>,
    ) -> Result<Response<v1::SuggestMoveResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.suggest_move(&caller, message).await)
    }

    async fn submit_move(
        &self,
        request: Request<v1::SubmitMoveRequest>,
    ) -> Result<Response<v1::SubmitMoveResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.submit_move(&caller, message).await)
    }

    async fn submit_moves(
        &self,
        request: Request<Streaming<v1::SubmitMovesRequest>>,
    ) -> Result<Response<GrpcStream<MoveAnswers>>, Status> {
        let key = rate_limit_key(&request);
        let permit = self.streams.acquire(key).map_err(|refusal| to_status(&refusal))?;
        let caller = caller(&self.play, &request)?;
        let received = request.extensions().get().cloned();
        let caller = MoveCaller { caller, key, received };
        let answers = MoveAnswers::start(&self.moves, caller, request.into_inner());
        respond(answers.map(|answers| GrpcStream::new(answers, permit, Arc::clone(&self.metrics))))
    }

    async fn resign(
        &self,
        request: Request<v1::ResignRequest>,
    ) -> Result<Response<v1::ResignResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.resign(&caller, message).await)
    }

    async fn make_proposal(
        &self,
        request: Request<v1::MakeProposalRequest>,
    ) -> Result<Response<v1::MakeProposalResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.make_proposal(&caller, message).await)
    }

    async fn answer_proposal(
        &self,
        request: Request<v1::AnswerProposalRequest>,
    ) -> Result<Response<v1::AnswerProposalResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.answer_proposal(&caller, message).await)
    }

    async fn abort_match(
        &self,
        request: Request<v1::AbortMatchRequest>,
    ) -> Result<Response<v1::AbortMatchResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.abort_match(&caller, message).await)
    }

    async fn fork_match(
        &self,
        request: Request<v1::ForkMatchRequest>,
    ) -> Result<Response<v1::ForkMatchResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.fork_match(&caller, message).await)
    }

    async fn create_rematch(
        &self,
        request: Request<v1::CreateRematchRequest>,
    ) -> Result<Response<v1::CreateRematchResponse>, Status> {
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.create_rematch(&caller, message).await)
    }

    async fn list_events(
        &self,
        request: Request<v1::ListEventsRequest>,
    ) -> Result<Response<v1::ListEventsResponse>, Status> {
        let shown_to = request.extensions().get::<ShownTo>().and_then(|ShownTo(viewer)| *viewer);
        let (caller, message) = caller_and_message(&self.play, request)?;
        respond(self.play.list_events_shown_to(&caller, message, shown_to.as_ref()).await)
    }

    async fn watch_match(
        &self,
        request: Request<v1::WatchMatchRequest>,
    ) -> Result<Response<GrpcStream<Watch>>, Status> {
        let permit = self.streams.acquire(rate_limit_key(&request)).map_err(|refusal| to_status(&refusal))?;
        let (caller, message) = caller_and_message(&self.play, request)?;
        let watch = self.play.watch_match(&caller, message).await;
        respond(watch.map(|watch| GrpcStream::new(watch, permit, Arc::clone(&self.metrics))))
    }
}
