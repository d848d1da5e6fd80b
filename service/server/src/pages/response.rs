//! The responses at fixed paths.

use std::collections::HashMap;

use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Method, Request, Response};
use http_body_util::Full;
use play::Refusal;
use serde_json::{Value, json};
use tonic::body::Body;
use transcode::{Adapter, GatewaySettings};

use super::fixed_page::{self, FixedPage};
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
    fixed: HashMap<&'static str, FixedPage>,
}

/// The parts of a request that matter to pages. It does not borrow the request, whose body is not `Sync`.
pub(crate) struct PageRequest {
    method: Method,
    /// One of `PATHS`.
    path: Option<&'static str>,
    /// Whether the caller may read the metrics, if the path is theirs.
    access: Result<(), Refusal>,
    accepts_gzip: bool,
}

impl Pages {
    /// Creates the pages; `guard` decides who may read the metrics.
    pub(crate) fn new(readiness: Readiness, metrics: Metrics, guard: MetricsGuard) -> Self {
        let docs = include_str!("docs/index.html");
        let fixed = HashMap::from([
            ("/", FixedPage::new("application/json", index().to_string() + "\n")),
            ("/docs", FixedPage::new("text/html; charset=utf-8", docs).with_policy(DOCS_POLICY)),
            ("/docs/docs.js", FixedPage::new("text/javascript; charset=utf-8", include_str!("docs/docs.js"))),
            ("/docs/docs.css", FixedPage::new("text/css; charset=utf-8", include_str!("docs/docs.css"))),
        ]);
        Self { readiness, metrics, guard, fixed }
    }

    /// Adds the OpenAPI document.
    pub(crate) fn with_openapi(mut self, document: String) -> Self {
        self.fixed.insert("/openapi.json", FixedPage::new("application/json", document));
        self
    }

    /// Returns whether a path is a health probe's, which is never limited.
    pub(crate) fn is_probe(path: &str) -> bool {
        matches!(path, LIVE | READY)
    }

    /// Extracts the parts of a request, and checks its access to the metrics.
    pub(crate) fn request(&self, request: &Request<Body>) -> PageRequest {
        let path = PATHS.into_iter().find(|path| *path == request.uri().path());
        let access = if path == Some(METRICS) { self.guard.check(request) } else { Ok(()) };
        let accepts_gzip = fixed_page::accepts_gzip(request.headers());
        PageRequest { method: request.method().clone(), path, access, accepts_gzip }
    }

    /// Returns the response, or `None` if the path is not a page.
    pub(crate) fn respond<A: Adapter>(
        &self,
        PageRequest { method, path, access, accepts_gzip }: PageRequest,
        settings: &GatewaySettings<A>,
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
            LIVE => page(TEXT, "alive\n"),
            READY => match self.readiness.check() {
                Ok(()) => page(TEXT, "ready\n"),
                Err(refusal) => settings.failed_call(&protocol::to_status(&refusal)),
            },
            METRICS => match access.and_then(|()| self.metrics_text()) {
                Ok(text) => page(prometheus::TEXT_FORMAT, text),
                Err(refusal) => settings.failed_call(&protocol::to_status(&refusal)),
            },
            path => {
                self.fixed.get(path.trim_end_matches('/')).or(self.fixed.get(path))?.respond(accepts_gzip)
            }
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
const LIVE: &str = "/livez";
const READY: &str = "/readyz";
const PATHS: [&str; 9] =
    ["/", LIVE, READY, METRICS, "/openapi.json", "/docs", "/docs/", "/docs/docs.js", "/docs/docs.css"];

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

fn page(kind: &'static str, text: impl Into<String>) -> Response<Body> {
    let mut response = Response::new(Body::new(Full::from(text.into())));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
