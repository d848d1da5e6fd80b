//! The gateway: a tower service that answers HTTP requests by calling a gRPC service in this process, through
//! all of that service's layers.

mod adapter;
mod codec;
mod error_response;
mod field_names;
mod in_process;
mod message;
mod metadata;
mod negotiation;
mod ordered;
mod rejection;
mod request_lines;
mod stream;

use std::convert::Infallible;
use std::error::Error;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::header::{ALLOW, HeaderValue};
use http::request::Parts;
use http::uri::PathAndQuery;
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Empty, LengthLimitError, Limited};
use prost_reflect::{DynamicMessage, MessageDescriptor, MethodDescriptor};
use tokio::time::timeout;
use tonic::Status;
use tonic::body::Body;
use tonic::client::Grpc;
use tower::Service;

use crate::error::MatchError;
use crate::header_fields::{HeaderBinding, HeaderField};
use crate::route_match::RouteMatch;
use crate::routes::{Body as RouteBody, Routes};
use codec::DynamicCodec;
use field_names::SetByHeader;
use request_lines::{LineFailure, RequestLines};

pub use adapter::{Adapter, HttpError};
pub use error_response::code_name;
pub use field_names::FieldNames;
pub use in_process::InProcessService;
pub use message::{TaggedText, message_json};
pub use metadata::request_metadata;
pub use negotiation::ResponseFormat;
pub use rejection::Rejection;

/// Maximum delay of a stream's response headers until its first frame, so that an early error has its own
/// HTTP status.
const FIRST_FRAME_TIMEOUT: Duration = Duration::from_secs(1);

/// Settings of a gateway.
#[derive(Debug, Clone)]
pub struct GatewaySettings<A> {
    /// The routes to serve.
    pub routes: Arc<Routes>,
    /// The service's own decisions.
    pub adapter: Arc<A>,
    /// Headers that set fields.
    pub header_fields: Vec<HeaderField>,
    /// Maximum size of a request body.
    pub max_body_bytes: usize,
    /// Maximum time to receive a request body.
    pub body_timeout: Duration,
    /// Interval between comments in idle event streams.
    pub keep_alive: Duration,
}

/// An HTTP gateway in front of a gRPC service.
#[derive(Debug)]
pub struct Gateway<S, A> {
    inner: S,
    settings: Arc<GatewaySettings<A>>,
}

impl<S: Clone, A> Clone for Gateway<S, A> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone(), settings: Arc::clone(&self.settings) }
    }
}

impl<S, A> Gateway<S, A> {
    /// Creates a gateway in front of `inner`.
    pub fn new(settings: Arc<GatewaySettings<A>>, inner: S) -> Self {
        Self { inner, settings }
    }
}

impl<S, A> Service<Request<Body>> for Gateway<S, A>
where
    S: InProcessService,
    A: Adapter,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // The call waits for the inner service.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let inner = self.inner.clone();
        let settings = Arc::clone(&self.settings);
        Box::pin(async move { Ok(settings.respond(inner, request).await) })
    }
}

/// Why a request fails.
enum Failure {
    /// The gateway rejected it without a call.
    Rejected(Rejection),
    /// The call failed.
    Call(Status),
}

impl<R: Into<Rejection>> From<R> for Failure {
    fn from(rejection: R) -> Self {
        Self::Rejected(rejection.into())
    }
}

impl<A: Adapter> GatewaySettings<A> {
    /// Returns the response for a rejected request, in the gateway's format.
    pub fn rejected(&self, rejection: &Rejection) -> Response<Body> {
        error_response::rejected(&*self.adapter, rejection)
    }

    /// Returns the response for a failed call, in the gateway's format.
    pub fn failed_call(&self, status: &Status) -> Response<Body> {
        error_response::failed_call(&*self.adapter, status)
    }

    /// Returns the response for any method that is not in `allow`: the allowed methods for OPTIONS, otherwise
    /// 405.
    pub fn method_not_allowed(&self, method: &Method, allow: Vec<Method>) -> Response<Body> {
        options_or_rejection(method, allow).unwrap_or_else(|rejection| self.rejected(&rejection))
    }

    /// Returns the response for a failed call with this request message, with the JSON names of its fields.
    pub fn failed_request(&self, status: Status, request: &MessageDescriptor) -> Response<Body> {
        self.failed_call(&field_names::with_json_names(status, request, &[]))
    }

    async fn respond<S: InProcessService>(&self, inner: S, request: Request<Body>) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let response = match self.routes.find(&route_method(&parts.method), parts.uri.path()) {
            Ok(matched) => self.call(inner, &matched, parts, body).await,
            Err(MatchError::MethodNotAllowed { allow }) => Ok(self.method_not_allowed(&parts.method, allow)),
            Err(error) => Err(error.into()),
        };
        match response {
            Ok(response) => response,
            Err(Failure::Rejected(rejection)) => self.rejected(&rejection),
            Err(Failure::Call(status)) => self.failed_call(&status),
        }
    }

    async fn call<S: InProcessService>(
        &self,
        inner: S,
        matched: &RouteMatch<'_>,
        parts: Parts,
        body: Body,
    ) -> Result<Response<Body>, Failure> {
        let route = matched.route();
        let rpc = route.rpc();
        let available =
            if rpc.is_server_streaming() { ResponseFormat::STREAMING } else { ResponseFormat::UNARY };
        let format =
            negotiation::choose(&parts.headers, available).ok_or_else(|| Rejection::NotAcceptable {
                available: available.iter().map(|format| format.media_type()).collect(),
            })?;
        if rpc.is_client_streaming() {
            return self.call_with_lines(inner, matched, format, parts, body).await;
        }
        let body = self.body(&parts, *route.body() != RouteBody::None, body).await?;
        let headers = self.header_bindings(&parts)?;
        let message = matched.request_with(parts.uri.query().unwrap_or_default(), &body, &headers)?;
        let set = headers.iter().filter(|header| header.rule.field_of(rpc).is_some());
        let set_by_headers: Vec<SetByHeader> =
            set.map(|header| (header.rule.field, header.rule.display_name)).collect();

        let path = path_of(rpc);
        let codec = DynamicCodec::new(rpc.output());
        let metadata = request_metadata(parts.headers);
        let call = tonic::Request::from_parts(metadata, parts.extensions, message.clone());
        let mut grpc = Grpc::new(inner).max_decoding_message_size(usize::MAX);
        let _: Result<(), Infallible> = grpc.ready().await;
        let request = rpc.input();
        let failed = |status| Failure::Call(field_names::with_json_names(status, &request, &set_by_headers));

        let only = route.response_body();
        if format == ResponseFormat::Json {
            let (metadata, mut response, _) =
                grpc.unary(call, path, codec).await.map_err(failed)?.into_parts();
            let headers = metadata::response_headers(metadata);
            self.adapter.name_fields(&mut response, &FieldNames::of(&request));
            return message::response(&*self.adapter, &mut response, only, headers).map_err(Failure::Call);
        }
        let response = grpc.server_streaming(call, path, codec).await.map_err(failed)?;
        let (metadata, mut rest, _) = response.into_parts();
        let first = match timeout(FIRST_FRAME_TIMEOUT, rest.message()).await {
            Ok(first) => first.map_err(failed)?,
            Err(_elapsed) => None,
        };
        if format == ResponseFormat::Sse && self.has_nothing_new(&message, first.as_ref()) {
            let mut response = Response::new(Body::new(Empty::new()));
            *response.status_mut() = StatusCode::NO_CONTENT;
            return Ok(response);
        }
        let adapter = Arc::clone(&self.adapter);
        let (only, keep_alive) = (only.cloned(), self.keep_alive);
        let request = request.clone();
        let failure = LineFailure::default();
        let parts = stream::Parts { adapter, format, only, request, first, rest, keep_alive, failure };
        Ok(stream::response(parts, metadata::response_headers(metadata)))
    }

    /// Calls an RPC that takes a stream of requests: the lines of the body.
    async fn call_with_lines<S: InProcessService>(
        &self,
        inner: S,
        matched: &RouteMatch<'_>,
        format: ResponseFormat,
        parts: Parts,
        body: Body,
    ) -> Result<Response<Body>, Failure> {
        let (route, rpc) = (matched.route(), matched.route().rpc());
        if !negotiation::is_readable(&parts.headers, ResponseFormat::Ndjson) {
            return Err(Rejection::UnsupportedMediaType(ResponseFormat::Ndjson.media_type()).into());
        }
        // Refuses parameters of the query.
        matched.request_with(parts.uri.query().unwrap_or_default(), &[], &[])?;
        let (adapter, failure, request) = (Arc::clone(&self.adapter), LineFailure::default(), rpc.input());
        let lines = RequestLines::new(adapter, request.clone(), body, self.max_body_bytes, failure.clone());
        let call = tonic::Request::from_parts(request_metadata(parts.headers), parts.extensions, lines);
        let mut grpc = Grpc::new(inner).max_decoding_message_size(usize::MAX);
        let _: Result<(), Infallible> = grpc.ready().await;
        let response = grpc.streaming(call, path_of(rpc), DynamicCodec::new(rpc.output())).await;
        let failed = |status| Failure::Call(field_names::with_json_names(status, &request, &[]));
        let (metadata, rest, _) = response.map_err(failed)?.into_parts();
        let (adapter, only) = (Arc::clone(&self.adapter), route.response_body().cloned());
        let (first, keep_alive) = (None, self.keep_alive);
        let parts = stream::Parts { adapter, format, only, request, first, rest, keep_alive, failure };
        Ok(stream::response(parts, metadata::response_headers(metadata)))
    }

    fn has_nothing_new(&self, request: &DynamicMessage, first: Option<&DynamicMessage>) -> bool {
        first.is_some_and(|first| self.adapter.has_nothing_new(request, first))
    }

    /// Reads the body, and rejects it if it is too large, too slow, or not JSON.
    async fn body(&self, parts: &Parts, is_used: bool, body: Body) -> Result<Bytes, Failure> {
        let limit = self.max_body_bytes;
        let whole = match timeout(self.body_timeout, Limited::new(body, limit).collect()).await {
            Ok(Ok(whole)) => whole.to_bytes(),
            Ok(Err(error)) if error.is::<LengthLimitError>() => {
                return Err(Rejection::BodyTooLarge { limit }.into());
            }
            Ok(Err(error)) => return Err(unread(error)),
            Err(_elapsed) => return Err(Rejection::BodyTimeout.into()),
        };
        let readable = negotiation::is_readable(&parts.headers, ResponseFormat::Json);
        // An unexpected body is rejected as such later, whatever its type.
        if is_used && !whole.is_empty() && !readable {
            return Err(Rejection::UnsupportedMediaType(ResponseFormat::Json.media_type()).into());
        }
        Ok(whole)
    }

    fn header_bindings<'h>(&'h self, parts: &'h Parts) -> Result<Vec<HeaderBinding<'h>>, Rejection> {
        let mut bindings = Vec::new();
        for rule in &self.header_fields {
            let mut values = parts.headers.get_all(&rule.header).iter();
            let Some(value) = values.next() else { continue };
            match (value.to_str(), values.next()) {
                // In structured fields, strings are quoted.
                (Ok(text), None) => bindings.push(HeaderBinding { rule, text: unquoted(text.trim()) }),
                _ => return Err(Rejection::BadHeader(rule.display_name)),
            }
        }
        Ok(bindings)
    }
}

/// Returns the gRPC path of an RPC.
fn path_of(rpc: &MethodDescriptor) -> PathAndQuery {
    let path = format!("/{}/{}", rpc.parent_service().full_name(), rpc.name());
    PathAndQuery::try_from(path).expect("proto names need no escapes in a path")
}

/// Returns why a body could not be read. A layer in front may refuse it with a status, which has details.
fn unread(error: Box<dyn Error + Send + Sync>) -> Failure {
    match error.downcast::<Status>() {
        Ok(status) if !status.details().is_empty() => Failure::Call(*status),
        _ => Rejection::BodyUnreadable.into(),
    }
}

/// Returns the method to find a route for: HEAD is served as GET, and an outer layer drops the body.
fn route_method(method: &Method) -> Method {
    if *method == Method::HEAD { Method::GET } else { method.clone() }
}

fn options_or_rejection(method: &Method, mut allow: Vec<Method>) -> Result<Response<Body>, Rejection> {
    if allow.contains(&Method::GET) {
        allow.push(Method::HEAD);
    }
    if *method != Method::OPTIONS {
        return Err(MatchError::MethodNotAllowed { allow }.into());
    }
    let mut response = Response::new(Body::new(Empty::new()));
    *response.status_mut() = StatusCode::NO_CONTENT;
    let methods = HeaderValue::try_from(rejection::allowed(&allow)).expect("method names are ASCII");
    response.headers_mut().insert(ALLOW, methods);
    Ok(response)
}

fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text)
}
