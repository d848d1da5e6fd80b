//! The RPCs, one file a service of the protocol: each is one call into `play`.

mod game_service;
mod log_service;
mod match_service;
mod outgoing;

use play::{Caller, Refusal};
use tonic::{Request, Response, Status};
use wire::v1::game_service_server::GameServiceServer;
use wire::v1::log_service_server::LogServiceServer;
use wire::v1::match_service_server::MatchServiceServer;

use crate::{caller, status};

pub(crate) use game_service::GameRpcs;
pub(crate) use log_service::LogRpcs;
pub(crate) use match_service::MatchRpcs;

/// `GameService` as it is served.
pub(crate) type GameServer = GameServiceServer<GameRpcs>;

/// `LogService` as it is served.
pub(crate) type LogServer = LogServiceServer<LogRpcs>;

/// `MatchService` as it is served.
pub(crate) type MatchServer = MatchServiceServer<MatchRpcs>;

/// A request's two halves: who asks, and what.
fn opened<T>(request: Request<T>) -> Result<(Caller, T), Status> {
    let caller = caller::of(request.metadata()).map_err(|refusal| status::of(&refusal))?;
    Ok((caller, request.into_inner()))
}

/// What a use case says, for the wire.
fn answer<T>(outcome: Result<T, Refusal>) -> Result<Response<T>, Status> {
    outcome.map(Response::new).map_err(|refusal| status::of(&refusal))
}
