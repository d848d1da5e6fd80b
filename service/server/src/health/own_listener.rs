//! The listener of `--health-listen`: health checks that no client of the service can crowd out. It has its
//! own connections, without TLS, and answers gRPC health, `/livez` and `/readyz`, and nothing else.

use std::convert::Infallible;
use std::time::Duration;

use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Request, Response, StatusCode};
use http_body_util::Full;
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};
use tonic::body::Body;
use tonic::service::Routes;
use tower::{ServiceExt, service_fn};

use super::readiness::Readiness;
use crate::listener::{self, ConnectionLimits, Connections, HttpLimits, TrustedProxies};

/// The limits of the connections. A probe needs one for a moment.
const LIMITS: ConnectionLimits = ConnectionLimits {
    max: 256,
    idle_timeout: Duration::from_secs(30),
    max_age: Some(Duration::from_secs(60)),
};

/// The limits of HTTP: a probe makes one small request.
const HTTP: HttpLimits = HttpLimits { max_streams: 16, max_header_bytes: 8 << 10 };

/// Serves health checks until the guard is dropped.
pub(crate) fn spawn(listener: TcpListener, readiness: Readiness, health: Routes) -> DropGuard {
    let stopping = CancellationToken::new();
    let guard = stopping.clone().drop_guard();
    let service = service_fn(move |request: Request<Body>| {
        let (readiness, health) = (readiness.clone(), health.clone());
        async move { respond(request, &readiness, health).await }
    });
    tokio::spawn(async move {
        let connections = Connections::new(LIMITS, TrustedProxies::default());
        tokio::select! {
            () = listener::serve(listener, None, &connections, HTTP, service, &stopping) => {}
            never = connections.keep_closing() => match never {},
            // Health checks do not delay the end of the process.
            () = stopping.cancelled() => {}
        }
    });
    guard
}

async fn respond(
    request: Request<Body>,
    readiness: &Readiness,
    health: Routes,
) -> Result<Response<Body>, Infallible> {
    let content_type = request.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    if content_type.is_some_and(|content_type| content_type.starts_with(b"application/grpc")) {
        return health.oneshot(request).await;
    }
    Ok(match (request.uri().path(), readiness.check()) {
        ("/livez", _) => text(StatusCode::OK, "alive\n"),
        ("/readyz", Ok(())) => text(StatusCode::OK, "ready\n"),
        ("/readyz", Err(refusal)) => text(StatusCode::SERVICE_UNAVAILABLE, refusal.message + "\n"),
        _ => text(StatusCode::NOT_FOUND, "this address has /livez, /readyz and gRPC health only\n"),
    })
}

fn text(status: StatusCode, text: impl Into<String>) -> Response<Body> {
    let mut response = Response::new(Body::new(Full::from(text.into())));
    *response.status_mut() = status;
    let media_type = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    response
}
