//! HTTP beside gRPC on the same port: REST, gRPC-Web, pages. All of them end in the same door as gRPC, so limits,
//! callers, logs and panics are the same. What a route is and how JSON becomes a message is `transcode`.

mod adapter;
mod boards;
mod caching;
mod cors;
mod followed;
mod openapi;
mod pages;

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::FutureExt;
use futures_util::future::Either;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use http::{HeaderMap, HeaderName, Method, Request, Response};
use http_body::Body as _;
use play::Refusal;
use tonic::body::Body;
use tonic_web::GrpcWebLayer;
use tower::{Layer, Service, ServiceExt, service_fn};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::cors::CorsLayer;
use tracing::Instrument;
use transcode::{Format, Gateway, GatewaySettings, HeaderField, InProcessService, Precedence, Routes};
use wire::v1::ErrorReason;

use crate::limits::ServiceLimits;
use crate::metrics::Calls;
use crate::status;
use adapter::Matchbook;

pub use cors::{CorsOrigins, CorsOriginsError};
pub(crate) use pages::Pages;

/// Puts HTTP in front of the door.
#[derive(Clone)]
pub(crate) struct RestLayer {
    desk: Arc<Desk>,
}

/// A door with HTTP in front of it.
#[derive(Clone)]
pub(crate) struct Rest<S> {
    door: S,
    desk: Arc<Desk>,
}

/// What all connections share.
struct Desk {
    settings: Arc<GatewaySettings<Matchbook>>,
    openapi: String,
    pages: Pages,
    cors: Option<CorsLayer>,
    max_header_bytes: usize,
}

/// What a request is by its own words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Grpc,
    GrpcWeb,
    Plain,
}

/// Headers that are another spelling of a field.
const HEADER_FIELDS: [HeaderField; 3] = [
    HeaderField {
        header: HeaderName::from_static("idempotency-key"),
        display_name: "Idempotency-Key",
        field: "request_id",
        precedence: Precedence::MustAgree,
        description: "Another spelling of `requestId`: a UUID of the caller's making. If both are given they have to \
                      be the same.",
    },
    HeaderField {
        header: HeaderName::from_static("last-event-id"),
        display_name: "Last-Event-ID",
        field: "after_seq",
        precedence: Precedence::HeaderWins,
        description: "Another spelling of `afterSeq`, which it overrides: the `id` of the last frame that was seen. \
                      Browsers' EventSource sends it by itself.",
    },
    HeaderField {
        header: HeaderName::from_static("last-event-id"),
        display_name: "Last-Event-ID",
        field: "after",
        precedence: Precedence::HeaderWins,
        description: "Another spelling of `after`, which it overrides: the `id` of the last frame that was seen. \
                      Browsers' EventSource sends it by itself.",
    },
];

impl RestLayer {
    /// HTTP with these limits, for web pages of these origins.
    pub(crate) fn new(
        limits: &ServiceLimits,
        origins: &CorsOrigins,
        pages: Pages,
        calls: Arc<Calls>,
    ) -> Self {
        let routes =
            Routes::from_pool(&wire::DESCRIPTORS).expect("a test of `wire` has read the annotations");
        let openapi = openapi::document(&routes).to_string();
        let settings = GatewaySettings {
            routes: Arc::new(routes),
            adapter: Arc::new(Matchbook { calls }),
            header_fields: HEADER_FIELDS.to_vec(),
            max_body_bytes: limits.max_message_bytes,
            body_timeout: limits.call_timeout(),
            keep_alive: limits.heartbeat(),
        };
        let max_header_bytes = usize::try_from(limits.max_metadata_bytes).unwrap_or(usize::MAX);
        let desk =
            Desk { settings: Arc::new(settings), openapi, pages, cors: origins.layer(), max_header_bytes };
        Self { desk: Arc::new(desk) }
    }
}

impl<S> Layer<S> for RestLayer {
    type Service = Rest<S>;

    fn layer(&self, door: S) -> Rest<S> {
        Rest { door, desk: Arc::clone(&self.desk) }
    }
}

impl<S: InProcessService> Service<Request<Body>> for Rest<S> {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Either<S::Future, Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.door.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        // The one that was polled ready goes into the future; its fresh copy waits here.
        let fresh = self.door.clone();
        let mut door = std::mem::replace(&mut self.door, fresh);
        let kind = Kind::of(request.headers());
        if kind == Kind::Grpc {
            return Either::Left(door.call(request));
        }
        let desk = Arc::clone(&self.desk);
        Either::Right(Box::pin(desk.admit(door, kind, request)))
    }
}

impl Kind {
    fn of(headers: &HeaderMap) -> Self {
        match headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes) {
            Some(kind) if kind.starts_with(b"application/grpc-web") => Self::GrpcWeb,
            Some(kind) if kind.starts_with(b"application/grpc") => Self::Grpc,
            _ => Self::Plain,
        }
    }
}

impl Desk {
    async fn admit<S: InProcessService>(
        self: Arc<Self>,
        door: S,
        kind: Kind,
        request: Request<Body>,
    ) -> Result<Response<Body>, Infallible> {
        let cors = self.cors.clone().filter(|_| cors::concerns(&request));
        let answering = service_fn(move |request| Arc::clone(&self).answer(door.clone(), kind, request));
        match cors {
            Some(cors) => cors.layer(answering).oneshot(request).await,
            None => answering.oneshot(request).await,
        }
    }

    async fn answer<S: InProcessService>(
        self: Arc<Self>,
        door: S,
        kind: Kind,
        request: Request<Body>,
    ) -> Result<Response<Body>, Infallible> {
        if kind == Kind::GrpcWeb {
            let refusal = self.too_large(request.headers());
            let known = service_fn(move |request| {
                let (door, refusal) = (door.clone(), refusal.clone());
                async move {
                    match refusal {
                        Some(refusal) => Ok(status::of(&refusal).into_http()),
                        None => door.oneshot(request).await,
                    }
                }
            });
            return GrpcWebLayer::new().layer(known).oneshot(request).await;
        }
        let method = request.method().clone();
        let asked = caching::Asked::of(&request);
        let desk = Arc::clone(&self);
        let finished = service_fn(move |request| {
            let (desk, door, asked) = (Arc::clone(&desk), door.clone(), asked.clone());
            async move { Ok::<_, Infallible>(caching::finish(&asked, desk.caught(door, request).await).await) }
        });
        let whole = DefaultPredicate::new().and(NotForContentType::const_new(Format::Ndjson.media_type()));
        let compressing = CompressionLayer::new().gzip(true).compress_when(whole).layer(finished);
        let response = compressing.oneshot(request).await?.map(Body::new);
        Ok(if method == Method::HEAD { without_body(response) } else { response })
    }

    /// The answer, whatever happens: beyond the door nothing panics, and if something does here it is told.
    async fn caught<S: InProcessService>(&self, door: S, request: Request<Body>) -> Response<Body> {
        match AssertUnwindSafe(self.routed(door, request)).catch_unwind().await {
            Ok(response) => response,
            // The panic hook has logged what it was.
            Err(_panic) => self.refused(&Refusal::internal()),
        }
    }

    async fn routed<S: InProcessService>(&self, door: S, request: Request<Body>) -> Response<Body> {
        if let Some(refusal) = self.too_large(request.headers()) {
            return self.refused(&refusal);
        }
        if let Some(page) = self.pages.at(self.pages.asked(&request), &self.settings, &self.openapi) {
            return page;
        }
        let span = followed::begin(&self.settings.routes, &request);
        let response = self.called(door, request).instrument(span.clone()).await;
        followed::end(&span, &response);
        response
    }

    async fn called<S: InProcessService>(&self, door: S, request: Request<Body>) -> Response<Body> {
        if let Some(board) = boards::Asked::by(&request) {
            return board.answer(door, &self.settings, request).await;
        }
        match Gateway::new(Arc::clone(&self.settings), door).oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }

    fn too_large(&self, headers: &HeaderMap) -> Option<Refusal> {
        let limit = self.max_header_bytes;
        let message = || format!("the headers are larger than the {limit} bytes that this service reads");
        (header_bytes(headers) > limit)
            .then(|| Refusal::new(ErrorReason::MessageTooLarge, message()).with("max_bytes", limit))
    }

    fn refused(&self, refusal: &Refusal) -> Response<Body> {
        self.settings.failed_call(&status::of(refusal))
    }
}

/// Over HTTP/2 the protocol itself counts them.
fn header_bytes(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum()
}

/// The answer to HEAD: what GET would say, and nothing after it.
fn without_body(mut response: Response<Body>) -> Response<Body> {
    if let Some(length) = response.body().size_hint().exact() {
        response.headers_mut().insert(CONTENT_LENGTH, length.into());
    }
    response.map(|_| Body::empty())
}
