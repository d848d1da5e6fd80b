//! The state shared by all HTTP requests, and the path of a request through CORS, compression, caching, pages
//! and routes.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use http::header::CONTENT_LENGTH;
use http::{HeaderMap, Method, Request, Response};
use http_body::Body as _;
use play::Refusal;
use tonic::body::Body;
use tonic_web::GrpcWebLayer;
use tower::{Layer, ServiceExt, service_fn};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::cors::CorsLayer;
use tracing::Instrument;
use transcode::{Gateway, GatewaySettings, InProcessService, ResponseFormat, Routes};
use wire::v1::ErrorReason;

use super::adapter::Matchbook;
use super::boards::BoardRequest;
use super::caching::{self, ConditionalRequest};
use super::cors::{self, CorsOrigins};
use super::header_fields::HEADER_FIELDS;
use super::{openapi, request_span};
use crate::admission::{CallerLimits, ProcessorTurns, RateLimitFields};
use crate::buffers::{ByteBudget, WholeSize};
use crate::limits::ServiceLimits;
use crate::listener::TrustedProxies;
use crate::pages::Pages;
use crate::protocol::{self, RpcMethod, RpcMethods};
use crate::telemetry::call_id::{CALL_ID_HEADER, CallId};
use crate::telemetry::metrics::CallMetrics;

/// The state shared by all connections.
pub(super) struct HttpState {
    pub(super) settings: Arc<GatewaySettings<Matchbook>>,
    pub(super) callers: CallerBudgets,
    pages: Pages,
    cors: Option<CorsLayer>,
    max_header_bytes: usize,
}

/// What limits the callers over HTTP.
pub(crate) struct CallerBudgets {
    /// The rate limits.
    pub(crate) limits: CallerLimits,
    /// The bytes in memory.
    pub(crate) bytes: ByteBudget,
    /// The methods, whose limits differ.
    pub(crate) methods: RpcMethods,
    /// The turns of reads at the processors.
    pub(crate) turns: ProcessorTurns,
    /// The proxies whose clients take turns.
    pub(crate) proxies: TrustedProxies,
}

/// The protocol of a request that is not gRPC.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HttpProtocol {
    GrpcWeb,
    Rest,
}

impl HttpState {
    /// Reads the routes from the protos' annotations and renders the OpenAPI document.
    pub(super) fn new(
        limits: &ServiceLimits,
        origins: &CorsOrigins,
        pages: Pages,
        metrics: Arc<CallMetrics>,
        callers: CallerBudgets,
    ) -> Self {
        let routes = Routes::from_pool(&wire::DESCRIPTORS).expect("a test of `wire` parses the annotations");
        let pages = pages.with_openapi(openapi::document(&routes).to_string());
        let settings = GatewaySettings {
            routes: Arc::new(routes),
            adapter: Arc::new(Matchbook { metrics }),
            header_fields: HEADER_FIELDS.to_vec(),
            max_body_bytes: limits.max_message_bytes,
            body_timeout: limits.body_timeout,
            keep_alive: limits.heartbeat,
        };
        let max_header_bytes = usize::try_from(limits.max_metadata_bytes).unwrap_or(usize::MAX);
        Self { settings: Arc::new(settings), callers, pages, cors: origins.layer(), max_header_bytes }
    }

    /// Serves a request that is not gRPC, or responds with `refusal`, and adds its call id to the response.
    pub(super) async fn serve<S: InProcessService>(
        self: Arc<Self>,
        grpc: S,
        protocol: HttpProtocol,
        mut request: Request<Body>,
        refusal: Option<Refusal>,
    ) -> Result<Response<Body>, Infallible> {
        let id = CallId::of(&request);
        request.extensions_mut().insert(id);
        let mut response = self.serve_with_cors(grpc, protocol, request, refusal).await?;
        let status = response.status();
        // Calls that reach admission control are logged there.
        if !response.headers().contains_key(CALL_ID_HEADER)
            && (status.is_client_error() || status.is_server_error())
        {
            tracing::debug!(call.id = %id, http.status = status.as_u16(), "refused an HTTP request");
        }
        id.add_to(response.headers_mut());
        Ok(response)
    }

    /// Serves a request that is not gRPC, with CORS headers where they apply.
    async fn serve_with_cors<S: InProcessService>(
        self: Arc<Self>,
        grpc: S,
        protocol: HttpProtocol,
        request: Request<Body>,
        refusal: Option<Refusal>,
    ) -> Result<Response<Body>, Infallible> {
        let cors = self.cors.clone().filter(|_| cors::applies_to(&request));
        let respond = service_fn(move |request| {
            let (state, grpc, refusal) = (Arc::clone(&self), grpc.clone(), refusal.clone());
            async move {
                match protocol {
                    HttpProtocol::GrpcWeb => state.serve_grpc_web(grpc, request, refusal).await,
                    HttpProtocol::Rest => state.serve_rest(grpc, request, refusal).await,
                }
            }
        });
        match cors {
            Some(cors) => cors.layer(respond).oneshot(request).await,
            None => respond.oneshot(request).await,
        }
    }

    async fn serve_grpc_web<S: InProcessService>(
        self: Arc<Self>,
        grpc: S,
        request: Request<Body>,
        refusal: Option<Refusal>,
    ) -> Result<Response<Body>, Infallible> {
        if request.method() != Method::POST {
            return Ok(self.settings.method_not_allowed(request.method(), vec![Method::POST]));
        }
        let refusal = refusal.or_else(|| self.check_headers(request.headers()).err());
        let call = service_fn(move |request| {
            let (grpc, refusal) = (grpc.clone(), refusal.clone());
            async move {
                match refusal {
                    Some(refusal) => Ok(protocol::to_status(&refusal).into_http()),
                    None => grpc.oneshot(request).await,
                }
            }
        });
        GrpcWebLayer::new().layer(call).oneshot(request).await
    }

    async fn serve_rest<S: InProcessService>(
        self: Arc<Self>,
        grpc: S,
        request: Request<Body>,
        refusal: Option<Refusal>,
    ) -> Result<Response<Body>, Infallible> {
        let method = request.method().clone();
        let conditional = ConditionalRequest::new(&request);
        let cached = service_fn(move |request| {
            let (state, grpc, conditional) = (Arc::clone(&self), grpc.clone(), conditional.clone());
            let refusal = refusal.clone();
            async move {
                let response = match refusal {
                    Some(refusal) => state.refuse(&refusal),
                    None => state.catch_panics(grpc, request).await,
                };
                let mut response = caching::finish(&conditional, response).await;
                WholeSize::note(&mut response);
                Ok::<_, Infallible>(response)
            }
        });
        let whole =
            DefaultPredicate::new().and(NotForContentType::const_new(ResponseFormat::Ndjson.media_type()));
        let compressed = CompressionLayer::new()
            .gzip(true)
            .quality(CompressionLevel::Fastest)
            .compress_when(whole)
            .layer(cached);
        let response = compressed.oneshot(request).await?.map(Body::new);
        Ok(if method == Method::HEAD { without_body(response) } else { response })
    }

    /// Responds with `INTERNAL` if the code between HTTP and admission control panics.
    async fn catch_panics<S: InProcessService>(&self, grpc: S, request: Request<Body>) -> Response<Body> {
        match AssertUnwindSafe(self.respond(grpc, request)).catch_unwind().await {
            Ok(response) => response,
            // The panic hook has logged the panic.
            Err(_panic) => self.refuse(&Refusal::internal()),
        }
    }

    async fn respond<S: InProcessService>(&self, grpc: S, mut request: Request<Body>) -> Response<Body> {
        if let Err(refusal) = self.check_headers(request.headers()) {
            return self.refuse(&refusal);
        }
        let mut fields = RateLimitFields::default();
        let mut response = match self.count(&mut request, &mut fields) {
            Ok(()) => self.respond_to_counted(grpc, request).await,
            Err(refusal) => self.refuse(&refusal),
        };
        fields.add_to(response.headers_mut());
        response
    }

    /// Counts a request for the rate limits of the call that it makes. Probes do not count.
    fn count(&self, request: &mut Request<Body>, fields: &mut RateLimitFields) -> Result<(), Refusal> {
        if Pages::is_probe(request.uri().path()) {
            return Ok(());
        }
        let method = self.method_of(request);
        let counted = self.callers.limits.count(method, request, fields);
        counted.inspect_err(|refusal| self.settings.adapter.metrics.record_refusal(refusal.reason))
    }

    /// Returns the method that a REST request calls.
    pub(super) fn method_of(&self, request: &Request<Body>) -> &RpcMethod {
        let methods = &self.callers.methods;
        let method = if *request.method() == Method::HEAD { &Method::GET } else { request.method() };
        match self.settings.routes.find(method, request.uri().path()) {
            Ok(matched) => {
                let rpc = matched.route().rpc();
                methods.at(&format!("/{}/{}", rpc.parent_service().full_name(), rpc.name()))
            }
            Err(_) => methods.other(),
        }
    }

    async fn respond_to_counted<S: InProcessService>(
        &self,
        grpc: S,
        request: Request<Body>,
    ) -> Response<Body> {
        if let Some(page) = self.pages.respond(self.pages.request(&request), &self.settings) {
            return page;
        }
        let span = request_span::start(&self.settings.routes, &request);
        let response = self.call(grpc, request).instrument(span.clone()).await;
        request_span::finish(&span, &response);
        response
    }

    async fn call<S: InProcessService>(&self, grpc: S, request: Request<Body>) -> Response<Body> {
        if let Some(board) = BoardRequest::parse(&request) {
            return board.respond(grpc, &self.settings, request).await;
        }
        match Gateway::new(Arc::clone(&self.settings), grpc).oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }

    /// Refuses headers that are too large. HTTP/2 limits them itself, HTTP/1.1 does not.
    fn check_headers(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let limit = self.max_header_bytes;
        if header_bytes(headers) <= limit {
            return Ok(());
        }
        let message = format!("the headers exceed the limit of {limit} bytes");
        Err(Refusal::new(ErrorReason::MessageTooLarge, message).with("max_bytes", limit))
    }

    fn refuse(&self, refusal: &Refusal) -> Response<Body> {
        self.settings.failed_call(&protocol::to_status(refusal))
    }
}

fn header_bytes(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum()
}

/// Turns the response to GET into the one to HEAD.
fn without_body(mut response: Response<Body>) -> Response<Body> {
    if let Some(length) = response.body().size_hint().exact() {
        response.headers_mut().insert(CONTENT_LENGTH, length.into());
    }
    response.map(|_| Body::empty())
}
