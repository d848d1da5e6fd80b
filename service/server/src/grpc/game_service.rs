//! `GameService`: the catalog of games.

use play::Play;
use tonic::{Request, Response, Status};
use wire::v1;
use wire::v1::game_service_server::GameService;

use super::respond;

/// The RPCs of `GameService`, which need no caller.
pub(super) struct GameRpcs {
    play: Play,
}

impl GameRpcs {
    /// Serves the catalog of `play`.
    pub(super) fn new(play: Play) -> Self {
        Self { play }
    }
}

#[tonic::async_trait]
impl GameService for GameRpcs {
    async fn list_games(
        &self,
        request: Request<v1::ListGamesRequest>,
    ) -> Result<Response<v1::ListGamesResponse>, Status> {
        respond(self.play.list_games(&request.into_inner()))
    }

    async fn get_game(
        &self,
        request: Request<v1::GetGameRequest>,
    ) -> Result<Response<v1::GetGameResponse>, Status> {
        respond(self.play.get_game(&request.into_inner()))
    }
}
