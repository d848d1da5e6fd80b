//! Calls that create, find and read matches, and hand out seats.

use wire::v1::match_service_client::MatchServiceClient;
use wire::v1::{
    BatchGetMatchesRequest, BatchGetMatchesResponse, ClaimSeatRequest, ClaimSeatResponse, CreateMatchRequest,
    CreateMatchResponse, CreateRematchRequest, CreateRematchResponse, ForkMatchRequest, ForkMatchResponse,
    GetMatchRequest, GetMatchResponse, GetViewRequest, GetViewResponse, ListEventsRequest,
    ListEventsResponse, ListMatchesRequest, ListMatchesResponse, RedactPlayerRequest, RedactPlayerResponse,
    RotateSeatTokenRequest, RotateSeatTokenResponse, UpdateMatchLabelsRequest, UpdateMatchLabelsResponse,
};

use crate::client::{Client, Idempotency};
use crate::error::Error;

impl Client {
    /// Creates a match. Set `request_id`: a retry without it could create a second match.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn create_match(&self, message: CreateMatchRequest) -> Result<CreateMatchResponse, Error> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).create_match(request).await };
        self.call(Idempotency::of(message.request_id.as_ref()), message, rpc).await
    }

    /// Creates a match that continues from a position of another one. Set `request_id`: a retry without it
    /// could create a second match.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn fork_match(&self, message: ForkMatchRequest) -> Result<ForkMatchResponse, Error> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).fork_match(request).await };
        self.call(Idempotency::of(message.request_id.as_ref()), message, rpc).await
    }

    /// Creates the rematch of a finished match, with seats swapped. Set `request_id` and `claim_secret`: a
    /// retry without the id could find the seat taken, and one without the secret gets no token.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn create_rematch(
        &self,
        message: CreateRematchRequest,
    ) -> Result<CreateRematchResponse, Error> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).create_rematch(request).await };
        self.call(Idempotency::of(message.request_id.as_ref()), message, rpc).await
    }

    /// Claims a free seat; the response holds its token. Set `request_id` and `claim_secret`: a retry without
    /// the id could find the seat taken, and one without the secret gets no token.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn claim_seat(&self, message: ClaimSeatRequest) -> Result<ClaimSeatResponse, Error> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).claim_seat(request).await };
        self.call(Idempotency::of(message.request_id.as_ref()), message, rpc).await
    }

    /// Replaces the token of a seat. Set `request_id` and `claim_secret`: a retry without them would come
    /// with a revoked token.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn rotate_seat_token(
        &self,
        message: RotateSeatTokenRequest,
    ) -> Result<RotateSeatTokenResponse, Error> {
        let rpc =
            |channel, request| async { MatchServiceClient::new(channel).rotate_seat_token(request).await };
        self.call(Idempotency::of(message.request_id.as_ref()), message, rpc).await
    }

    /// Erases the player of a seat. Idempotent: it may be repeated.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn redact_player(&self, message: RedactPlayerRequest) -> Result<RedactPlayerResponse, Error> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).redact_player(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Lists matches, one page at a time.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn list_matches(&self, message: ListMatchesRequest) -> Result<ListMatchesResponse, Error> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).list_matches(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Returns several matches as they are listed, in the order of the request.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn batch_get_matches(
        &self,
        message: BatchGetMatchesRequest,
    ) -> Result<BatchGetMatchesResponse, Error> {
        let rpc =
            |channel, request| async { MatchServiceClient::new(channel).batch_get_matches(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Returns a match: game, seats, status, settings of its clocks.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn get_match(&self, match_id: &str) -> Result<GetMatchResponse, Error> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).get_match(request).await };
        self.call(Idempotency::Safe, GetMatchRequest { match_id: match_id.to_owned() }, rpc).await
    }

    /// Replaces all labels of a match. A repetition has the same effect, so the call is retried.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn update_match_labels(
        &self,
        message: UpdateMatchLabelsRequest,
    ) -> Result<UpdateMatchLabelsResponse, Error> {
        let rpc =
            |channel, request| async { MatchServiceClient::new(channel).update_match_labels(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Returns a position as the caller may see it.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn get_view(&self, message: GetViewRequest) -> Result<GetViewResponse, Error> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).get_view(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Lists events of a match, one page at a time.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn list_events(&self, message: ListEventsRequest) -> Result<ListEventsResponse, Error> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).list_events(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }
}
