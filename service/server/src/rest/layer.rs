//! The tower layer that adds HTTP to the gRPC service.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::future::Either;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{HeaderMap, Request, Response};
use tonic::body::Body;
use tower::util::Oneshot;
use tower::{Layer, Service, ServiceExt};
use transcode::InProcessService;

use super::cors::CorsOrigins;
use super::state::{HttpProtocol, HttpState};
use crate::limits::ServiceLimits;
use crate::pages::Pages;
use crate::telemetry::metrics::CallMetrics;

/// Wraps a gRPC service with HTTP.
#[derive(Clone)]
pub(crate) struct HttpLayer {
    state: Arc<HttpState>,
}

/// A gRPC service wrapped with HTTP.
#[derive(Clone)]
pub(crate) struct HttpService<S> {
    grpc: S,
    state: Arc<HttpState>,
}

impl HttpLayer {
    /// Creates the layer. Browsers may call from `origins`.
    pub(crate) fn new(
        limits: &ServiceLimits,
        origins: &CorsOrigins,
        pages: Pages,
        metrics: Arc<CallMetrics>,
    ) -> Self {
        Self { state: Arc::new(HttpState::new(limits, origins, pages, metrics)) }
    }
}

impl<S> Layer<S> for HttpLayer {
    type Service = HttpService<S>;

    fn layer(&self, grpc: S) -> HttpService<S> {
        HttpService { grpc, state: Arc::clone(&self.state) }
    }
}

impl<S: InProcessService> Service<Request<Body>> for HttpService<S> {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Either<
        Oneshot<S, Request<Body>>,
        Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>,
    >;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // The call waits for the gRPC service.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let grpc = self.grpc.clone();
        let state = Arc::clone(&self.state);
        match http_protocol(request.headers()) {
            None => Either::Left(grpc.oneshot(request)),
            Some(protocol) => Either::Right(Box::pin(state.serve(grpc, protocol, request))),
        }
    }
}

/// Returns the protocol of a request by its content type, or `None` for gRPC.
fn http_protocol(headers: &HeaderMap) -> Option<HttpProtocol> {
    match headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes) {
        Some(media_type) if media_type.starts_with(b"application/grpc-web") => Some(HttpProtocol::GrpcWeb),
        Some(media_type) if media_type.starts_with(b"application/grpc") => None,
        _ => Some(HttpProtocol::Rest),
    }
}
