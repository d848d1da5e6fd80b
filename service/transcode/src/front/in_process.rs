//! What a front calls: the one bound that everything before a gRPC service shares.

use std::convert::Infallible;

use http::{Request, Response};
use tonic::body::Body;
use tower::Service;

/// A gRPC service in this process with whatever stands before it: answers every request, each clone for itself.
pub trait InProcess:
    Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send>
    + Clone
    + Send
    + Sync
    + 'static
{
}

impl<S> InProcess for S where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send>
        + Clone
        + Send
        + Sync
        + 'static
{
}
