//! What is neither an RPC nor a board: the front page, the description of the API, and whether the service lives.

use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use http::{Method, Request, Response};
use http_body_util::Full;
use play::Refusal;
use serde_json::{Value, json};
use tonic::body::Body;
use transcode::GatewaySettings;

use super::adapter::Matchbook;
use crate::metrics::{Guard, Metrics, MetricsAccess};
use crate::readiness::Readiness;
use crate::status;

/// Only what this service itself sends may run in the page.
const DOCS_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                           img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Everything that stands at a fixed path.
pub(crate) struct Pages {
    readiness: Readiness,
    metrics: Metrics,
    guard: Guard,
}

/// What is asked for.
pub(crate) struct Asked {
    method: Method,
    /// One of `PATHS`.
    path: Option<&'static str>,
    /// Whether it may have the metrics, if it wants them.
    metrics: Result<(), Refusal>,
}

impl Pages {
    /// Ready while it is; with these metrics for whom the guard lets through.
    pub(crate) fn new(readiness: Readiness, metrics: Metrics, guard: Guard) -> Self {
        Self { readiness, metrics, guard }
    }

    /// What a request asks for here. It can't be kept for longer: its body is not to be shared.
    pub(crate) fn asked(&self, request: &Request<Body>) -> Asked {
        let path = PATHS.into_iter().find(|path| *path == request.uri().path());
        let metrics = if path == Some(METRICS) { self.guard.check(request) } else { Ok(()) };
        Asked { method: request.method().clone(), path, metrics }
    }

    /// The page at a path, if there is one.
    pub(crate) fn at(
        &self,
        Asked { method, path, metrics }: Asked,
        settings: &GatewaySettings<Matchbook>,
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
            "/" => page("application/json", front_page().to_string() + "\n"),
            "/livez" => page(TEXT, "alive\n"),
            "/readyz" => match self.readiness.check() {
                Ok(()) => page(TEXT, "ready\n"),
                Err(refusal) => settings.failed_call(&status::of(&refusal)),
            },
            METRICS => match metrics.and_then(|()| self.measured()) {
                Ok(text) => page(prometheus::TEXT_FORMAT, text),
                Err(refusal) => settings.failed_call(&status::of(&refusal)),
            },
            "/openapi.json" => page("application/json", openapi.to_owned()),
            "/docs/docs.js" => page("text/javascript; charset=utf-8", include_str!("docs/docs.js")),
            "/docs/docs.css" => page("text/css; charset=utf-8", include_str!("docs/docs.css")),
            _ => docs(),
        })
    }

    fn measured(&self) -> Result<String, Refusal> {
        self.metrics.text().map_err(|error| {
            tracing::error!(%error, "the metrics can't be written");
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

fn front_page() -> Value {
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
