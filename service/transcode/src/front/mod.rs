//! The HTTP front: a tower service that answers HTTP requests by calling the gRPC service
//! behind it, in this process and through whatever stands before that service.

mod codec;
mod failure;
mod host;
mod in_process;
mod message;
mod metadata;
mod negotiation;
mod refusal;
mod stream;

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::header::{ALLOW, HeaderValue};
use http::request::Parts;
use http::uri::PathAndQuery;
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Empty, LengthLimitError, Limited};
use prost_reflect::DynamicMessage;
use tokio::time::timeout;
use tonic::Status;
use tonic::body::Body;
use tonic::client::Grpc;
use tonic::metadata::MetadataMap;
use tower::Service;

use crate::error::MatchError;
use crate::header_fields::{HeaderBinding, HeaderField};
use crate::matching::Matched;
use crate::routes::{Body as RouteBody, Routes};
use codec::DynamicCodec;

pub use failure::code_name;
pub use host::{Failure, Host};
pub use in_process::InProcess;
pub use negotiation::Form;
pub use refusal::Refusal;

/// A request's headers as the metadata of a call to the same service.
pub fn metadata_of(headers: HeaderMap) -> MetadataMap {
    metadata::of_request(headers)
}

/// How long an answer's headers wait for the first frame of a stream, so that an early
/// refusal has a status of its own.
const FIRST_FRAME_WITHIN: Duration = Duration::from_secs(1);

/// What a front is made with.
#[derive(Debug, Clone)]
pub struct Settings<H> {
    /// What is served.
    pub routes: Arc<Routes>,
    /// What the service behind has to say.
    pub host: Arc<H>,
    /// Headers that fill fields.
    pub header_fields: Vec<HeaderField>,
    /// The longest request body.
    pub max_body_bytes: usize,
    /// How long a request body may take to come.
    pub body_timeout: Duration,
    /// After so long a silence a stream of events gets a comment.
    pub keep_alive: Duration,
}

/// HTTP in front of a gRPC service.
#[derive(Debug)]
pub struct Front<S, H> {
    inner: S,
    settings: Arc<Settings<H>>,
}

impl<S: Clone, H> Clone for Front<S, H> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone(), settings: Arc::clone(&self.settings) }
    }
}

impl<S, H> Front<S, H> {
    /// A front before `inner`.
    pub fn new(settings: Arc<Settings<H>>, inner: S) -> Self {
        Self { inner, settings }
    }
}

impl<S, H> Service<Request<Body>> for Front<S, H>
where
    S: InProcess,
    H: Host,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        // The one that was polled ready goes into the future; its fresh copy waits here.
        let fresh = self.inner.clone();
        let inner = std::mem::replace(&mut self.inner, fresh);
        let settings = Arc::clone(&self.settings);
        Box::pin(async move { Ok(settings.answer(inner, request).await) })
    }
}

/// Why there is no answer.
enum Failed {
    /// No call was made.
    Refused(Refusal),
    /// It was, or could not be, and this is what came back.
    Called(Status),
}

impl<R: Into<Refusal>> From<R> for Failed {
    fn from(refusal: R) -> Self {
        Self::Refused(refusal.into())
    }
}

impl<H: Host> Settings<H> {
    /// The answer to a refused request, in the same words as the front's own.
    pub fn refused(&self, refusal: &Refusal) -> Response<Body> {
        failure::refused(&*self.host, refusal)
    }

    /// The answer to a failed call, in the same words as the front's own.
    pub fn failed(&self, status: &Status) -> Response<Body> {
        failure::response(&*self.host, status)
    }

    /// The answer to a method that is none of these: to OPTIONS what they are.
    pub fn other_method(&self, method: &Method, allow: Vec<Method>) -> Response<Body> {
        options_or_refusal(method, allow).unwrap_or_else(|refusal| self.refused(&refusal))
    }

    async fn answer<S: InProcess>(&self, inner: S, request: Request<Body>) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let outcome = match self.routes.find(&routed(&parts.method), parts.uri.path()) {
            Ok(matched) => self.call(inner, &matched, parts, body).await,
            Err(MatchError::MethodNotAllowed { allow }) => Ok(self.other_method(&parts.method, allow)),
            Err(error) => Err(error.into()),
        };
        match outcome {
            Ok(response) => response,
            Err(Failed::Refused(refusal)) => self.refused(&refusal),
            Err(Failed::Called(status)) => self.failed(&status),
        }
    }

    async fn call<S: InProcess>(
        &self,
        inner: S,
        matched: &Matched<'_>,
        parts: Parts,
        body: Body,
    ) -> Result<Response<Body>, Failed> {
        let route = matched.route();
        let rpc = route.rpc();
        let offers = if rpc.is_server_streaming() { Form::OF_STREAMS } else { Form::OF_MESSAGES };
        let form = negotiation::choose(&parts.headers, offers).ok_or_else(|| Refusal::NotAcceptable {
            offered: offers.iter().map(|form| form.media_type()).collect(),
        })?;
        let body = self.body(&parts, *route.body() != RouteBody::None, body).await?;
        let headers = self.header_bindings(&parts)?;
        let message = matched.request_with(parts.uri.query().unwrap_or_default(), &body, &headers)?;

        let path = format!("/{}/{}", rpc.parent_service().full_name(), rpc.name());
        let path = PathAndQuery::try_from(path).expect("names of protos need no escapes");
        let codec = DynamicCodec::answering(rpc.output());
        let metadata = metadata::of_request(parts.headers);
        let call = tonic::Request::from_parts(metadata, parts.extensions, message.clone());
        let mut grpc = Grpc::new(inner).max_decoding_message_size(usize::MAX);
        let _: Result<(), Infallible> = grpc.ready().await;

        let only = route.response_body();
        if form == Form::Json {
            let (metadata, answer, _) =
                grpc.unary(call, path, codec).await.map_err(Failed::Called)?.into_parts();
            return message::response(&answer, only, metadata::of_answer(metadata)).map_err(Failed::Called);
        }
        let answer = grpc.server_streaming(call, path, codec).await.map_err(Failed::Called)?;
        let (metadata, mut rest, _) = answer.into_parts();
        let first = match timeout(FIRST_FRAME_WITHIN, rest.message()).await {
            Ok(first) => first.map_err(Failed::Called)?,
            Err(_nothing_yet) => None,
        };
        if form == Form::Sse && self.has_nothing_left(&message, first.as_ref()) {
            let mut response = Response::new(Body::new(Empty::new()));
            *response.status_mut() = StatusCode::NO_CONTENT;
            return Ok(response);
        }
        let host = Arc::clone(&self.host);
        let (only, keep_alive) = (only.cloned(), self.keep_alive);
        let parts = stream::Parts { host, form, only, first, rest, keep_alive };
        Ok(stream::response(parts, metadata::of_answer(metadata)))
    }

    fn has_nothing_left(&self, request: &DynamicMessage, first: Option<&DynamicMessage>) -> bool {
        first.is_some_and(|first| self.host.has_nothing_left(request, first))
    }

    /// The whole body, if it has the form and the size that are read.
    async fn body(&self, parts: &Parts, taken: bool, body: Body) -> Result<Bytes, Refusal> {
        let limit = self.max_body_bytes;
        let whole = match timeout(self.body_timeout, Limited::new(body, limit).collect()).await {
            Ok(Ok(whole)) => whole.to_bytes(),
            Ok(Err(error)) if error.is::<LengthLimitError>() => return Err(Refusal::BodyTooLarge { limit }),
            Ok(Err(_broken)) => return Err(Refusal::BodyBroken),
            Err(_elapsed) => return Err(Refusal::BodyTooSlow),
        };
        let readable = negotiation::is_json(&parts.headers) && negotiation::is_plain(&parts.headers);
        // A body where none belongs is refused as that, whatever it is.
        if taken && !whole.is_empty() && !readable {
            return Err(Refusal::UnsupportedMediaType);
        }
        Ok(whole)
    }

    fn header_bindings<'h>(&'h self, parts: &'h Parts) -> Result<Vec<HeaderBinding<'h>>, Refusal> {
        let mut bindings = Vec::new();
        for rule in &self.header_fields {
            let mut values = parts.headers.get_all(&rule.header).iter();
            let Some(value) = values.next() else { continue };
            match (value.to_str(), values.next()) {
                // As a structured field the same text stands in quotes.
                (Ok(text), None) => bindings.push(HeaderBinding { rule, text: unquoted(text.trim()) }),
                _ => return Err(Refusal::BadHeader(rule.spelling)),
            }
        }
        Ok(bindings)
    }
}

/// HEAD is GET; whoever stands outside drops the body.
fn routed(method: &Method) -> Method {
    if *method == Method::HEAD { Method::GET } else { method.clone() }
}

fn options_or_refusal(method: &Method, mut allow: Vec<Method>) -> Result<Response<Body>, Refusal> {
    if allow.contains(&Method::GET) {
        allow.push(Method::HEAD);
    }
    if *method != Method::OPTIONS {
        return Err(MatchError::MethodNotAllowed { allow }.into());
    }
    let mut response = Response::new(Body::new(Empty::new()));
    *response.status_mut() = StatusCode::NO_CONTENT;
    let methods = HeaderValue::try_from(refusal::allowed(&allow)).expect("methods are plain text");
    response.headers_mut().insert(ALLOW, methods);
    Ok(response)
}

fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text)
}
