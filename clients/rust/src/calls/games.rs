//! Calls about games.

use wire::v1::game_service_client::GameServiceClient;
use wire::v1::{GetGameRequest, GetGameResponse, ListGamesRequest, ListGamesResponse};

use crate::client::{Client, Idempotency};
use crate::error::Error;

impl Client {
    /// Lists a page of the games.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn list_games(&self, message: ListGamesRequest) -> Result<ListGamesResponse, Error> {
        let rpc = |channel, request| async { GameServiceClient::new(channel).list_games(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }

    /// Returns a game with its options and rules.
    ///
    /// # Errors
    ///
    /// If the service refuses or does not answer.
    pub async fn get_game(&self, message: GetGameRequest) -> Result<GetGameResponse, Error> {
        let rpc = |channel, request| async { GameServiceClient::new(channel).get_game(request).await };
        self.call(Idempotency::Safe, message, rpc).await
    }
}
