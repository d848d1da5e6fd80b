//! The calls of the service, one method each.

use tonic::{Response, Status, Streaming};
use wire::v1::game_service_client::GameServiceClient;
use wire::v1::log_service_client::LogServiceClient;
use wire::v1::match_service_client::MatchServiceClient;
use wire::v1::{
    AbortMatchRequest, AbortMatchResponse, AcceptDrawRequest, AcceptDrawResponse, CheckMoveRequest,
    CheckMoveResponse, ClaimSeatRequest, ClaimSeatResponse, CreateMatchRequest, CreateMatchResponse,
    CreateRematchRequest, CreateRematchResponse, DeclineDrawRequest, DeclineDrawResponse, ExportLogRequest,
    ExportLogResponse, ForkMatchRequest, ForkMatchResponse, GetGameRequest, GetGameResponse, GetMatchRequest,
    GetMatchResponse, GetViewRequest, GetViewResponse, ListEventsRequest, ListEventsResponse,
    ListGamesRequest, ListGamesResponse, ListKeysRequest, ListKeysResponse, ListLegalMovesRequest,
    ListLegalMovesResponse, ListMatchesRequest, ListMatchesResponse, OfferDrawRequest, OfferDrawResponse,
    ResignRequest, ResignResponse, RotateSeatTokenRequest, RotateSeatTokenResponse, SampleMoveRequest,
    SampleMoveResponse, SignHeadRequest, SignHeadResponse, StreamFeedRequest, StreamFeedResponse,
    SubmitMoveRequest, SubmitMoveResponse, WatchMatchRequest, WatchMatchResponse,
};

use super::Service;
use crate::failure::Failure;

/// The longest record of a log file, both parts as long as they may be.
const MAX_RECORD_BYTES: usize = 9 << 20;

impl Service {
    pub(crate) async fn list_games(&self) -> Result<ListGamesResponse, Failure> {
        let rpc = |channel, request| async { GameServiceClient::new(channel).list_games(request).await };
        self.call(ListGamesRequest {}, rpc).await
    }

    pub(crate) async fn get_game(&self, message: GetGameRequest) -> Result<GetGameResponse, Failure> {
        let rpc = |channel, request| async { GameServiceClient::new(channel).get_game(request).await };
        self.call(message, rpc).await
    }

    /// The message must have a `request_id`, or a repetition makes a second match.
    pub(crate) async fn create_match(
        &self,
        message: CreateMatchRequest,
    ) -> Result<CreateMatchResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).create_match(request).await };
        self.call(message, rpc).await
    }

    /// The message must have a `request_id`, or a repetition finds the seat taken.
    pub(crate) async fn claim_seat(&self, message: ClaimSeatRequest) -> Result<ClaimSeatResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).claim_seat(request).await };
        self.call(message, rpc).await
    }

    pub(crate) async fn get_match(&self, match_id: &str) -> Result<GetMatchResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).get_match(request).await };
        self.call(GetMatchRequest { match_id: match_id.to_owned() }, rpc).await
    }

    pub(crate) async fn get_view(&self, message: GetViewRequest) -> Result<GetViewResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).get_view(request).await };
        self.call(message, rpc).await
    }

    pub(crate) async fn list_legal_moves(
        &self,
        message: ListLegalMovesRequest,
    ) -> Result<ListLegalMovesResponse, Failure> {
        let rpc =
            |channel, request| async { MatchServiceClient::new(channel).list_legal_moves(request).await };
        self.call(message, rpc).await
    }

    pub(crate) async fn check_move(&self, message: CheckMoveRequest) -> Result<CheckMoveResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).check_move(request).await };
        self.call(message, rpc).await
    }

    pub(crate) async fn sample_move(
        &self,
        message: SampleMoveRequest,
    ) -> Result<SampleMoveResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).sample_move(request).await };
        self.call(message, rpc).await
    }

    /// The message must have a `request_id`, or a repetition makes a second move.
    pub(crate) async fn submit_move(
        &self,
        message: SubmitMoveRequest,
    ) -> Result<SubmitMoveResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).submit_move(request).await };
        self.call(message, rpc).await
    }

    pub(crate) async fn list_events(
        &self,
        message: ListEventsRequest,
    ) -> Result<ListEventsResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).list_events(request).await };
        self.call(message, rpc).await
    }

    pub(crate) async fn list_matches(
        &self,
        message: ListMatchesRequest,
    ) -> Result<ListMatchesResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).list_matches(request).await };
        self.call(message, rpc).await
    }

    /// The message must have a `request_id`, or a repetition comes with a void token.
    pub(crate) async fn rotate_seat_token(
        &self,
        message: RotateSeatTokenRequest,
    ) -> Result<RotateSeatTokenResponse, Failure> {
        let rpc =
            |channel, request| async { MatchServiceClient::new(channel).rotate_seat_token(request).await };
        self.call(message, rpc).await
    }

    /// The message must have a `request_id`, or a repetition finds the match over.
    pub(crate) async fn resign(&self, message: ResignRequest) -> Result<ResignResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).resign(request).await };
        self.call(message, rpc).await
    }

    /// The message must have a `request_id`, or a repetition is a second offer.
    pub(crate) async fn offer_draw(&self, message: OfferDrawRequest) -> Result<OfferDrawResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).offer_draw(request).await };
        self.call(message, rpc).await
    }

    /// The message must have a `request_id`, or a repetition finds the match over.
    pub(crate) async fn accept_draw(
        &self,
        message: AcceptDrawRequest,
    ) -> Result<AcceptDrawResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).accept_draw(request).await };
        self.call(message, rpc).await
    }

    /// The message must have a `request_id`, or a repetition finds no offer.
    pub(crate) async fn decline_draw(
        &self,
        message: DeclineDrawRequest,
    ) -> Result<DeclineDrawResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).decline_draw(request).await };
        self.call(message, rpc).await
    }

    /// The message must have a `request_id`, or a repetition finds the match over.
    pub(crate) async fn abort_match(
        &self,
        message: AbortMatchRequest,
    ) -> Result<AbortMatchResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).abort_match(request).await };
        self.call(message, rpc).await
    }

    /// The message must have a `request_id`, or a repetition makes a second match.
    pub(crate) async fn fork_match(&self, message: ForkMatchRequest) -> Result<ForkMatchResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).fork_match(request).await };
        self.call(message, rpc).await
    }

    /// The message must have a `request_id`, or a repetition finds the seat taken.
    pub(crate) async fn create_rematch(
        &self,
        message: CreateRematchRequest,
    ) -> Result<CreateRematchResponse, Failure> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).create_rematch(request).await };
        self.call(message, rpc).await
    }

    pub(crate) async fn sign_head(&self, message: SignHeadRequest) -> Result<SignHeadResponse, Failure> {
        let rpc = |channel, request| async { LogServiceClient::new(channel).sign_head(request).await };
        self.call(message, rpc).await
    }

    pub(crate) async fn list_keys(&self) -> Result<ListKeysResponse, Failure> {
        let rpc = |channel, request| async { LogServiceClient::new(channel).list_keys(request).await };
        self.call(ListKeysRequest {}, rpc).await
    }

    /// Opens the feed, once; `feed_reader` is what keeps it open.
    pub(crate) async fn stream_feed(
        &self,
        message: StreamFeedRequest,
    ) -> Result<Streaming<StreamFeedResponse>, Status> {
        let mut client =
            LogServiceClient::new(self.channel.clone()).max_decoding_message_size(MAX_RECORD_BYTES);
        client.stream_feed(self.request(message)).await.map(Response::into_inner)
    }

    /// The records of a match's log file as they come.
    pub(crate) async fn export_log(&self, match_id: &str) -> Result<Streaming<ExportLogResponse>, Status> {
        let request = ExportLogRequest { match_id: match_id.to_owned() };
        let mut client =
            LogServiceClient::new(self.channel.clone()).max_decoding_message_size(MAX_RECORD_BYTES);
        client.export_log(self.request(request)).await.map(Response::into_inner)
    }

    /// Opens one stream, once; `follow` is what keeps it open.
    pub(crate) async fn watch_match(
        &self,
        message: WatchMatchRequest,
    ) -> Result<Streaming<WatchMatchResponse>, Status> {
        let mut client = MatchServiceClient::new(self.channel.clone());
        client.watch_match(self.request(message)).await.map(Response::into_inner)
    }
}
