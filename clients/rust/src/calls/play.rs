//! Calls that a seat makes while a match is played. `SeatClient` makes them with less typing.

use wire::v1::match_service_client::MatchServiceClient;
use wire::v1::{
    AbortMatchRequest, AbortMatchResponse, AnswerProposalRequest, AnswerProposalResponse, CheckMoveRequest,
    CheckMoveResponse, GetChoicesRequest, GetChoicesResponse, ListLegalMovesRequest, ListLegalMovesResponse,
    MakeProposalRequest, MakeProposalResponse, ResignRequest, ResignResponse, SubmitMoveRequest,
    SubmitMoveResponse, SuggestMoveRequest, SuggestMoveResponse,
};

use crate::client::{Client, Idempotency};
use crate::error::Error;

impl Client {
    /// Lists the legal moves of a seat.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn list_legal_moves(
        &self,
        message: ListLegalMovesRequest,
    ) -> Result<ListLegalMovesResponse, Error> {
        let rpc =
            |channel, request| async { MatchServiceClient::new(channel).list_legal_moves(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Returns the next question on the way to a move, or the finished move.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn get_choices(&self, message: GetChoicesRequest) -> Result<GetChoicesResponse, Error> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).get_choices(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Returns whether a move is legal, without making it.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn check_move(&self, message: CheckMoveRequest) -> Result<CheckMoveResponse, Error> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).check_move(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Suggests a legal move, without making it.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn suggest_move(&self, message: SuggestMoveRequest) -> Result<SuggestMoveResponse, Error> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).suggest_move(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Makes a move. Set `request_id`: a retry without it could make a second move.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn submit_move(&self, message: SubmitMoveRequest) -> Result<SubmitMoveResponse, Error> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).submit_move(request).await };
        self.call(Idempotency::of(message.request_id.as_ref()), message, rpc).await
    }

    /// Makes a proposal to the other seat. Set `request_id`: a retry without it could be refused as a second
    /// proposal.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn make_proposal(&self, message: MakeProposalRequest) -> Result<MakeProposalResponse, Error> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).make_proposal(request).await };
        self.call(Idempotency::of(message.request_id.as_ref()), message, rpc).await
    }

    /// Answers the other seat's proposal. Set `request_id`: a retry without it could find no proposal.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn answer_proposal(
        &self,
        message: AnswerProposalRequest,
    ) -> Result<AnswerProposalResponse, Error> {
        let rpc =
            |channel, request| async { MatchServiceClient::new(channel).answer_proposal(request).await };
        self.call(Idempotency::of(message.request_id.as_ref()), message, rpc).await
    }

    /// Resigns. Set `request_id`: a retry without it could find the match over.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn resign(&self, message: ResignRequest) -> Result<ResignResponse, Error> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).resign(request).await };
        self.call(Idempotency::of(message.request_id.as_ref()), message, rpc).await
    }

    /// Aborts a match that has not really begun. Set `request_id`: a retry without it could find the match
    /// over.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn abort_match(&self, message: AbortMatchRequest) -> Result<AbortMatchResponse, Error> {
        let rpc = |channel, request| async { MatchServiceClient::new(channel).abort_match(request).await };
        self.call(Idempotency::of(message.request_id.as_ref()), message, rpc).await
    }
}
