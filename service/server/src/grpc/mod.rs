//! The gRPC services, one file each. Every RPC is one call into `play`.

mod game_service;
mod log_service;
mod match_service;
mod move_stream;
mod reflection;
mod routes;
mod stream;
mod webhook_service;

use play::{Caller, Play, Refusal, ShareHolder};
use tonic::{Request, Response, Status};
use wire::v1::Viewer;

use crate::admission::RateLimitKey;
use crate::keys::credentials;
use crate::protocol::to_status;

pub(crate) use move_stream::MoveStreams;
pub(crate) use routes::routes;

/// The viewer that a call of `ListEvents` shows the events to; by default its caller. Only this process sets
/// it, as an extension of the request.
#[derive(Clone)]
pub(crate) struct ShownTo(pub(crate) Option<Viewer>);

/// Splits a request into its caller and its message. Refuses an unknown API key before anything is looked up,
/// so that the refusal does not depend on what exists.
fn caller_and_message<T>(play: &Play, request: Request<T>) -> Result<(Caller, T), Status> {
    Ok((caller(play, &request)?, request.into_inner()))
}

/// Returns the caller of a request.
fn caller<T>(play: &Play, request: &Request<T>) -> Result<Caller, Status> {
    let holder = request.extensions().get::<ShareHolder>().copied();
    let caller = credentials::caller(request.metadata());
    let caller = caller.and_then(|caller| play.check_key(&caller).map(|()| caller));
    Ok(caller.map_err(|refusal| to_status(&refusal))?.with_share_holder(holder))
}

/// Converts a use case's result to gRPC's.
fn respond<T>(result: Result<T, Refusal>) -> Result<Response<T>, Status> {
    result.map(Response::new).map_err(|refusal| to_status(&refusal))
}

/// Returns the key that admission control left on a request.
fn rate_limit_key<T>(request: &Request<T>) -> RateLimitKey {
    request.extensions().get().copied().unwrap_or(RateLimitKey::Local)
}
