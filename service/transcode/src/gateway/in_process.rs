//! The trait bound of a gRPC service in this process, which all layers in front of it share.

use std::convert::Infallible;

use http::{Request, Response};
use tonic::body::Body;
use tower::Service;

/// A gRPC service in this process, including its layers. It is infallible and cheap to clone.
pub trait InProcessService:
    Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send>
    + Clone
    + Send
    + Sync
    + 'static
{
}

impl<S> InProcessService for S where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send>
        + Clone
        + Send
        + Sync
        + 'static
{
}
