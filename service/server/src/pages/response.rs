//! The responses at fixed paths.

use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use http::{Method, Request, Response};
use http_body_util::Full;
use play::Refusal;
use serde_json::{Value, json};
use tonic::body::Body;
use transcode::{Adapter, GatewaySettings};

use super::metrics_access::{MetricsAccess, MetricsGuard};
use crate::health::Readiness;
use crate::protocol;
use crate::telemetry::metrics::Metrics;

/// Restricts the reference page to scripts and styles of this service.
const DOCS_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                           img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What the pages show.
pub(crate) struct Pages {
    readiness: Readiness,
    metrics: Metrics,
    guard: MetricsGuard,
}

/// The parts of a request that matter to pages. It does not borrow the request, whose body is not `Sync`.
pub(crate) struct PageRequest {
    method: Method,
    /// One of `PATHS`.
    path: Option<&'static str>,
    /// Whether the caller may read the metrics, if the path is theirs.
    access: Result<(), Refusal>,
}

impl Pages {
    /// Creates the pages; `guard` decides who may read the metrics.
    pub(crate) fn new(readiness: Readiness, metrics: Metrics, guard: MetricsGuard) -> Self {
        Self { readiness, metrics, guard }
    }

    /// Extracts the parts of a request, and checks its access to the metrics.
    pub(crate) fn request(&self, request: &Request<Body>) -> PageRequest {
        let path = PATHS.into_iter().find(|path| *path == request.uri().path());
        let access = if path == Some(METRICS) { self.guard.check(request) } else { Ok(()) };
        PageRequest { method: request.method().clone(), path, access }
    }

    /// Returns the response, or `None` if the path is not a page.
    pub(crate) fn respond<A: Adapter>(
        &self,
        PageRequest { method, path, access }: PageRequest,
        settings: &GatewaySettings<A>,
        openapi: &str,
    ) -> Option<Response<Body>> {
        let (method, path) = (&method, path?);
        if path == METRICS && self.guard.access == MetricsAccess::Off {
            return None;
        }
        if !matches!(*method, Method::GET | Method::HEAD) {
            let allow = vec![Method::GET];
            return Some(settings.method_not_allowed(method, allow));
        }
        Some(match path {
            "/" => page("application/json", index().to_string() + "\n"),
            "/livez" => page(TEXT, "alive\n"),
            "/readyz" => match self.readiness.check() {
                Ok(()) => page(TEXT, "ready\n"),
                Err(refusal) => settings.failed_call(&protocol::to_status(&refusal)),
            },
            METRICS => match access.and_then(|()| self.metrics_text()) {
                Ok(text) => page(prometheus::TEXT_FORMAT, text),
                Err(refusal) => settings.failed_call(&protocol::to_status(&refusal)),
            },
            "/openapi.json" => page("application/json", openapi.to_owned()),
            "/docs/docs.js" => page("text/javascript; charset=utf-8", include_str!("docs/docs.js")),
            "/docs/docs.css" => page("text/css; charset=utf-8", include_str!("docs/docs.css")),
            _ => docs(),
        })
    }

    fn metrics_text(&self) -> Result<String, Refusal> {
        self.metrics.text().map_err(|error| {
            tracing::error!(%error, "cannot render the metrics");
            Refusal::internal()
        })
    }
}

const TEXT: &str = "text/plain; charset=utf-8";
const METRICS: &str = "/metrics";
const PATHS: [&str; 9] = [
    "/",
    "/livez",
    "/readyz",
    METRICS,
    "/openapi.json",
    "/docs",
    "/docs/",
    "/docs/docs.js",
    "/docs/docs.css",
];

fn index() -> Value {
    json!({
        "service": "Matchbook",
        "version": env!("CARGO_PKG_VERSION"),
        "about": "Two-player games over gRPC, gRPC-Web and REST, all on this port",
        "links": {
            "docs": "/docs",
            "openapi": "/openapi.json",
            "games": "/v1/games",
            "live": "/livez",
            "ready": "/readyz",
        },
    })
}

fn docs() -> Response<Body> {
    let mut response = page("text/html; charset=utf-8", include_str!("docs/index.html"));
    let policy = HeaderName::from_static("content-security-policy");
    response.headers_mut().insert(policy, HeaderValue::from_static(DOCS_POLICY));
    response
}

fn page(kind: &'static str, text: impl Into<String>) -> Response<Body> {
    let mut response = Response::new(Body::new(Full::from(text.into())));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
