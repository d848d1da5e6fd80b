//! What is neither an RPC nor a board: the front page, the description of the API, and whether the service lives.

use std::time::Duration;

use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use http::{Method, Response};
use http_body_util::Full;
use journal::{Journal, MatchId};
use play::Refusal;
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use transcode::Settings;
use uuid::Uuid;
use wire::v1::ErrorReason;

use super::host::Matchbook;
use crate::status;

/// How long the database may take to show that it is there.
const PATIENCE: Duration = Duration::from_secs(2);

/// Only what this service itself sends may run in the page.
const DOCS_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                           img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Everything that stands at a fixed path.
pub(crate) struct Pages {
    openapi: String,
    journal: Journal,
    stopping: CancellationToken,
}

impl Pages {
    /// With this description of the API; ready until `stopping`, while the journal answers.
    pub(crate) fn new(openapi: Value, journal: Journal, stopping: CancellationToken) -> Self {
        Self { openapi: openapi.to_string(), journal, stopping }
    }

    /// The page at a path, if there is one.
    pub(crate) async fn at(
        &self,
        method: &Method,
        path: &str,
        settings: &Settings<Matchbook>,
    ) -> Option<Response<Body>> {
        if !PATHS.contains(&path) {
            return None;
        }
        if !matches!(*method, Method::GET | Method::HEAD) {
            let allow = vec![Method::GET];
            return Some(settings.other_method(method, allow));
        }
        Some(match path {
            "/" => page("application/json", front_page().to_string() + "\n"),
            "/livez" => page(TEXT, "alive\n"),
            "/readyz" => match self.readiness().await {
                Ok(()) => page(TEXT, "ready\n"),
                Err(refusal) => settings.failed(&status::of(&refusal)),
            },
            "/openapi.json" => page("application/json", self.openapi.clone()),
            "/docs/docs.js" => page("text/javascript; charset=utf-8", include_str!("docs/docs.js")),
            "/docs/docs.css" => page("text/css; charset=utf-8", include_str!("docs/docs.css")),
            _ => docs(),
        })
    }

    async fn readiness(&self) -> Result<(), Refusal> {
        if self.stopping.is_cancelled() {
            return Err(Refusal::new(ErrorReason::ShuttingDown, "the service is shutting down"));
        }
        // A match that nobody has; what counts is that the database says so.
        match timeout(PATIENCE, self.journal.head(MatchId(Uuid::nil()))).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(_)) | Err(_) => {
                Err(Refusal::new(ErrorReason::Overloaded, "the database does not answer; try again")
                    .retry_after(PATIENCE))
            }
        }
    }
}

const TEXT: &str = "text/plain; charset=utf-8";
const PATHS: [&str; 8] =
    ["/", "/livez", "/readyz", "/openapi.json", "/docs", "/docs/", "/docs/docs.js", "/docs/docs.css"];

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
