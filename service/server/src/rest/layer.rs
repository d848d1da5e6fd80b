//! The tower layer that adds HTTP to the gRPC service.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::header::CONTENT_TYPE;
use http::{HeaderMap, Request, Response};
use tonic::body::Body;
use tower::{Layer, Service};
use transcode::InProcessService;

use super::cors::CorsOrigins;
use super::state::{CallerBudgets, HttpProtocol, HttpState};
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
        callers: CallerBudgets,
    ) -> Self {
        Self { state: Arc::new(HttpState::new(limits, origins, pages, metrics, callers)) }
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
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // The call waits for the gRPC service.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let grpc = self.grpc.clone();
        let state = Arc::clone(&self.state);
        let protocol = http_protocol(request.headers());
        Box::pin(async move { Ok(state.serve_within_budget(grpc, protocol, request).await) })
    }
}

/// Returns the protocol of a request by its content type, or `None` for gRPC.
fn http_protocol(headers: &HeaderMap) -> Option<HttpProtocol> {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    // What follows a plus is the encoding of messages.
    match media_type.split('+').next() {
        Some("application/grpc") => None,
        Some("application/grpc-web" | "application/grpc-web-text") => Some(HttpProtocol::GrpcWeb),
        _ => Some(HttpProtocol::Rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_protocol_follows_from_the_whole_media_type() {
        use HttpProtocol::{GrpcWeb, Rest};
        for (value, protocol) in [
            ("application/grpc", None),
            ("application/grpc+proto", None),
            ("Application/gRPC; charset=utf-8", None),
            ("application/grpcfoo", Some(Rest)),
            ("application/grpc-foo", Some(Rest)),
            ("application/grpc-web", Some(GrpcWeb)),
            ("application/grpc-web+proto", Some(GrpcWeb)),
            ("application/grpc-web-text+proto", Some(GrpcWeb)),
            ("application/grpc-website", Some(Rest)),
            ("application/json", Some(Rest)),
            ("", Some(Rest)),
        ] {
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, value.parse().unwrap())]);
            assert!(http_protocol(&headers) == protocol, "{value}");
        }
        assert!(http_protocol(&HeaderMap::new()) == Some(Rest));
    }
}
