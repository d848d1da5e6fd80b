//! An HTTP request as a span of its caller's trace: the method, the route and the status, never the path itself, which
//! has in it what a caller wrote. The call that it makes is a span within this one.

use http::{Method, Request, Response};
use play::STEPS;
use tonic::body::Body;
use tracing::{Span, error_span, field};
use transcode::Routes;

use super::boards;
use crate::telemetry::traceparent;

/// What the conventions know; any other method is a caller's invention.
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

/// The span of a request; disabled if nobody follows calls.
pub(super) fn begin(routes: &Routes, request: &Request<Body>) -> Span {
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
    traceparent::adopt(&span, request.headers());
    span
}

/// Tells how it was answered.
pub(super) fn end(span: &Span, response: &Response<Body>) {
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
    if let Some(board) = boards::Asked::by(request) {
        return Some(board.route());
    }
    let method = if *request.method() == Method::HEAD { &Method::GET } else { request.method() };
    let matched = routes.find(method, request.uri().path()).ok()?;
    Some(matched.route().template().to_string())
}
