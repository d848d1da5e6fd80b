//! The responses at paths that are not RPCs.

use std::collections::HashMap;

use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Method, Request, Response};
use http_body_util::Full;
use play::Refusal;
use serde_json::{Value, json};
use tonic::body::Body;
use transcode::{Adapter, GatewaySettings};

use super::application::Application;
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
    application: Application,
    fixed: HashMap<&'static str, FixedPage>,
}

/// The parts of a request that matter to pages. It does not borrow the request, whose body is not `Sync`.
pub(crate) struct PageRequest<'a> {
    method: Method,
    found: Option<Found<'a>>,
    /// Whether the caller may read the metrics, if the path is theirs.
    access: Result<(), Refusal>,
    accepts_gzip: bool,
}

/// What is at a path.
enum Found<'a> {
    Fixed(&'a FixedPage),
    Live,
    Ready,
    Metrics,
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
        Self { readiness, metrics, guard, application: Application::new(), fixed }
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
    pub(crate) fn request(&self, request: &Request<Body>) -> PageRequest<'_> {
        let found = self.find(request);
        PageRequest {
            method: request.method().clone(),
            access: if matches!(found, Some(Found::Metrics)) { self.guard.check(request) } else { Ok(()) },
            found,
            accepts_gzip: fixed_page::accepts_gzip(request.headers()),
        }
    }

    /// Returns what is at a request's path, if it is a page.
    fn find(&self, request: &Request<Body>) -> Option<Found<'_>> {
        Some(match request.uri().path() {
            LIVE => Found::Live,
            READY => Found::Ready,
            METRICS if self.guard.access == MetricsAccess::Off => return None,
            METRICS => Found::Metrics,
            "/" if fixed_page::accepts_html(request.headers()) => Found::Fixed(self.application.document()),
            "/docs/" => Found::Fixed(self.fixed.get("/docs")?),
            path => Found::Fixed(self.fixed.get(path).or_else(|| self.application.find(path))?),
        })
    }

    /// Returns the response, or `None` if the path is not a page.
    pub(crate) fn respond<A: Adapter>(
        &self,
        request: PageRequest<'_>,
        settings: &GatewaySettings<A>,
    ) -> Option<Response<Body>> {
        let found = request.found?;
        if !matches!(request.method, Method::GET | Method::HEAD) {
            let allow = vec![Method::GET];
            return Some(settings.method_not_allowed(&request.method, allow));
        }
        let refuse = |refusal| settings.failed_call(&protocol::to_status(&refusal));
        Some(match found {
            Found::Fixed(fixed) => fixed.respond(request.accepts_gzip),
            Found::Live => page(TEXT, "alive\n"),
            Found::Ready => match self.readiness.check() {
                Ok(()) => page(TEXT, "ready\n"),
                Err(refusal) => refuse(refusal),
            },
            Found::Metrics => match request.access.and_then(|()| self.metrics_text()) {
                Ok(text) => page(prometheus::TEXT_FORMAT, text),
                Err(refusal) => refuse(refusal),
            },
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
