//! The trace span of an HTTP request: method, route template and status, never the path, which contains the
//! caller's input. The call's span is its child.

use http::{Method, Request, Response};
use play::STEPS;
use tonic::body::Body;
use tracing::{Span, error_span, field};
use transcode::Routes;

use super::boards::BoardRequest;
use crate::telemetry::traces::traceparent;

/// The methods known to the semantic conventions; others appear as `_OTHER`.
const METHODS: [Method; 8] = [
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
    Method::OPTIONS,
    Method::CONNECT,
];

/// Opens the span of a request. It is disabled if traces are.
pub(super) fn start(routes: &Routes, request: &Request<Body>) -> Span {
    let span = error_span!(
        target: STEPS,
        "http",
        otel.name = field::Empty,
        otel.kind = "server",
        otel.status_code = field::Empty,
        http.request.method = field::Empty,
        http.route = field::Empty,
        http.response.status_code = field::Empty
    );
    if span.is_disabled() {
        return span;
    }
    let known = METHODS.iter().find(|method| *method == request.method());
    span.record("http.request.method", known.map_or("_OTHER", Method::as_str));
    let word = known.map_or("HTTP", Method::as_str);
    match route(routes, request) {
        Some(route) => {
            span.record("http.route", &*route);
            span.record("otel.name", format!("{word} {route}"));
        }
        None => {
            span.record("otel.name", word);
        }
    }
    traceparent::adopt_parent(&span, request.headers());
    span
}

/// Records the response on the span.
pub(super) fn finish(span: &Span, response: &Response<Body>) {
    if span.is_disabled() {
        return;
    }
    let status = response.status();
    span.record("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        span.record("otel.status_code", "error");
    }
}

fn route(routes: &Routes, request: &Request<Body>) -> Option<String> {
    if let Some(board) = BoardRequest::parse(request) {
        return Some(board.route());
    }
    let method = if *request.method() == Method::HEAD { &Method::GET } else { request.method() };
    let matched = routes.find(method, request.uri().path()).ok()?;
    Some(matched.route().template().to_string())
}
