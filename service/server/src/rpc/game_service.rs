//! `GameService`: the catalog.

use play::Play;
use tonic::{Request, Response, Status};
use wire::v1;
use wire::v1::game_service_server::GameService;

use super::answer;

/// The RPCs of `GameService`; they need no caller.
pub(crate) struct GameRpcs {
    play: Play,
}

impl GameRpcs {
    /// The catalog of this play.
    pub(crate) fn new(play: Play) -> Self {
        Self { play }
    }
}

#[tonic::async_trait]
impl GameService for GameRpcs {
    async fn list_games(
        &self,
        request: Request<v1::ListGamesRequest>,
    ) -> Result<Response<v1::ListGamesResponse>, Status> {
        answer(self.play.list_games(request.into_inner()))
    }

    async fn get_game(
        &self,
        request: Request<v1::GetGameRequest>,
    ) -> Result<Response<v1::GetGameResponse>, Status> {
        answer(self.play.get_game(&request.into_inner()))
    }
}
