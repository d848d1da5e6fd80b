//! One seat of one match.

use wire::v1::submit_move_request::Input;
use wire::v1::{
    AbortMatchRequest, AbortMatchResponse, AnswerProposalRequest, AnswerProposalResponse, GetMatchResponse,
    GetViewRequest, GetViewResponse, ListLegalMovesRequest, ListLegalMovesResponse, MakeProposalRequest,
    MakeProposalResponse, Move, ProposalKind, ResignRequest, ResignResponse, Strategy, SubmitMoveRequest,
    SubmitMoveResponse, SuggestMoveRequest, SuggestMoveResponse,
};

use crate::client::{Client, InvalidToken};
use crate::error::Error;
use crate::request_id;
use crate::watch::Watch;

/// A client for one seat of a match. Every change carries a fresh `request_id`, so it is retried safely.
#[derive(Debug, Clone)]
pub struct SeatClient {
    client: Client,
    match_id: String,
}

impl Client {
    /// Returns a client for one seat of a match, on the same connection.
    ///
    /// # Errors
    ///
    /// If the token has characters that HTTP metadata cannot carry.
    pub fn seat(&self, match_id: impl Into<String>, token: &str) -> Result<SeatClient, InvalidToken> {
        Ok(SeatClient::new(self.with_seat_token(token)?, match_id))
    }
}

impl SeatClient {
    /// Plays the seat whose token the client carries; [`Client::seat`] takes the token itself.
    pub fn new(client: Client, match_id: impl Into<String>) -> Self {
        Self { client, match_id: match_id.into() }
    }

    /// Returns the match's id.
    pub fn match_id(&self) -> &str {
        &self.match_id
    }

    /// Returns a client with this seat's token, for all other calls.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Returns the match: game, seats, clocks' settings, status.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn get_match(&self) -> Result<GetMatchResponse, Error> {
        self.client.get_match(&self.match_id).await
    }

    /// Returns the newest position as this seat may see it.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn view(&self) -> Result<GetViewResponse, Error> {
        self.get_view(None).await
    }

    /// Returns the position after an event as this seat may see it.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn view_at(&self, seq: u32) -> Result<GetViewResponse, Error> {
        self.get_view(Some(seq)).await
    }

    /// Lists at most this many of the seat's legal moves, 1 to 10 000.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn legal_moves(&self, limit: u32) -> Result<ListLegalMovesResponse, Error> {
        let match_id = self.match_id.clone();
        let message = ListLegalMovesRequest { match_id, page_size: limit, ..Default::default() };
        self.client.list_legal_moves(message).await
    }

    /// Suggests a legal move, chosen by a strategy. A seed makes the choice repeatable.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn suggest_move(
        &self,
        strategy: Strategy,
        seed: Option<u64>,
    ) -> Result<SuggestMoveResponse, Error> {
        let (match_id, strategy) = (self.match_id.clone(), strategy.into());
        self.client.suggest_move(SuggestMoveRequest { match_id, strategy, seed }).await
    }

    /// Makes a move at the position after event `expected_seq`.
    ///
    /// # Errors
    ///
    /// If the service refuses, for example with `STALE_POSITION`, or does not answer.
    pub async fn submit_move(&self, chosen: Move, expected_seq: u32) -> Result<SubmitMoveResponse, Error> {
        self.submit(Input::Move(chosen), Some(expected_seq)).await
    }

    /// Makes a move given in the game's notation, at the newest position.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn submit_notation(&self, notation: &str) -> Result<SubmitMoveResponse, Error> {
        self.submit(Input::Notation(notation.to_owned()), None).await
    }

    /// Makes a proposal to the other seat.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn propose(&self, kind: ProposalKind) -> Result<MakeProposalResponse, Error> {
        let (match_id, request_id) = self.change();
        self.client.make_proposal(MakeProposalRequest { match_id, kind: kind.into(), request_id }).await
    }

    /// Accepts or declines the other seat's proposal.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn answer(&self, kind: ProposalKind, accept: bool) -> Result<AnswerProposalResponse, Error> {
        let (match_id, request_id) = self.change();
        let (kind, accept) = (kind.into(), Some(accept));
        self.client.answer_proposal(AnswerProposalRequest { match_id, kind, accept, request_id }).await
    }

    /// Resigns: the other seat wins.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn resign(&self) -> Result<ResignResponse, Error> {
        let (match_id, request_id) = self.change();
        self.client.resign(ResignRequest { match_id, request_id }).await
    }

    /// Aborts a match that has not really begun: nobody wins.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn abort(&self) -> Result<AbortMatchResponse, Error> {
        let (match_id, request_id) = self.change();
        self.client.abort_match(AbortMatchRequest { match_id, request_id }).await
    }

    /// Watches the match as this seat sees it; see [`Client::watch`].
    pub fn watch(&self) -> Watch {
        self.client.watch(self.match_id.clone())
    }

    async fn submit(&self, input: Input, expected_seq: Option<u32>) -> Result<SubmitMoveResponse, Error> {
        let (match_id, request_id) = self.change();
        let message = SubmitMoveRequest { match_id, request_id, expected_seq, input: Some(input) };
        self.client.submit_move(message).await
    }

    async fn get_view(&self, at_seq: Option<u32>) -> Result<GetViewResponse, Error> {
        let match_id = self.match_id.clone();
        self.client.get_view(GetViewRequest { match_id, at_seq, ..GetViewRequest::default() }).await
    }

    /// The match id and a fresh request id, for a message that changes the match.
    fn change(&self) -> (String, Option<String>) {
        (self.match_id.clone(), Some(request_id()))
    }
}
