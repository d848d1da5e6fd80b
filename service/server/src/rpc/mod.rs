//! The RPCs, one file a service of the protocol: each is one call into `play`.

mod game_service;
mod match_service;
mod watch_frames;

pub(crate) use game_service::GameRpcs;
pub(crate) use match_service::MatchRpcs;

use play::Refusal;
use tonic::{Response, Status};
use wire::v1::game_service_server::GameServiceServer;
use wire::v1::match_service_server::MatchServiceServer;

use crate::status;

/// `GameService` as it is served.
pub(crate) type GameServer = GameServiceServer<GameRpcs>;

/// `MatchService` as it is served.
pub(crate) type MatchServer = MatchServiceServer<MatchRpcs>;

/// What a use case says, for the wire.
fn answer<T>(outcome: Result<T, Refusal>) -> Result<Response<T>, Status> {
    outcome.map(Response::new).map_err(|refusal| status::of(&refusal))
}
