//! Every request within the budget of bytes, whatever its protocol.

use std::convert::Infallible;
use std::sync::Arc;

use http::header::{ACCEPT, CONTENT_TYPE, ORIGIN};
use http::{Request, Response};
use play::Refusal;
use tonic::body::Body;
use tower::ServiceExt;
use transcode::InProcessService;

use super::boards::BoardRequest;
use super::state::{HttpProtocol, HttpState};
use crate::admission::LimitSubject;
use crate::buffers::ResponseKind;
use crate::protocol::{self, MethodKind};

impl HttpState {
    /// Serves a request of any protocol, `None` for gRPC, and counts its bytes until the client has taken the
    /// last one of its response.
    pub(super) async fn serve_within_budget<S: InProcessService>(
        self: Arc<Self>,
        grpc: S,
        protocol: Option<HttpProtocol>,
        mut request: Request<Body>,
    ) -> Response<Body> {
        let kind = self.response_kind(protocol, &request);
        let exchange = match self.callers.bytes.enter(&mut request) {
            Ok(exchange) => exchange,
            Err(refusal) => return self.refuse_in(grpc, protocol, request, refusal).await,
        };
        let head = protocol.map(|_| head_of(&request));
        let reader = self.reader(protocol, &request);
        let responding = Arc::clone(&self).respond_in(grpc.clone(), protocol, request, None);
        let response = match reader {
            // What waits for its turn is counted already.
            Some(caller) => self.callers.turns.run(caller, Box::pin(responding)).await,
            None => responding.await,
        };
        match exchange.finish(kind, response) {
            Ok(response) => response,
            Err(refusal) => self.refuse_in(grpc, protocol, head.unwrap_or_default(), refusal).await,
        }
    }

    /// Returns the caller of a request that changes nothing, whose turns at the processors it waits for.
    pub(super) fn reader(
        &self,
        protocol: Option<HttpProtocol>,
        request: &Request<Body>,
    ) -> Option<LimitSubject> {
        let method = match protocol {
            Some(HttpProtocol::Rest) if BoardRequest::parse(request).is_some() => MethodKind::Read,
            Some(HttpProtocol::Rest) => self.method_of(request).kind,
            Some(HttpProtocol::GrpcWeb) | None => self.callers.methods.at(request.uri().path()).kind,
        };
        let proxies = &self.callers.proxies;
        let address = proxies.sharing_address(request.extensions(), request.headers());
        address.map(LimitSubject::Address).filter(|_| method == MethodKind::Read)
    }

    async fn refuse_in<S: InProcessService>(
        self: Arc<Self>,
        grpc: S,
        protocol: Option<HttpProtocol>,
        request: Request<Body>,
        refusal: Refusal,
    ) -> Response<Body> {
        self.settings.adapter.metrics.record_refusal(refusal.reason);
        self.respond_in(grpc, protocol, request, Some(refusal)).await
    }

    /// Responds in the format of a protocol.
    async fn respond_in<S: InProcessService>(
        self: Arc<Self>,
        grpc: S,
        protocol: Option<HttpProtocol>,
        request: Request<Body>,
        refusal: Option<Refusal>,
    ) -> Response<Body> {
        let responded: Result<_, Infallible> = match (protocol, refusal) {
            // Boxed: its future is large, and those of gRPC calls must stay small.
            (Some(protocol), refusal) => Box::pin(self.serve(grpc, protocol, request, refusal)).await,
            (None, Some(refusal)) => Ok(protocol::to_status(&refusal).into_http()),
            (None, None) => grpc.oneshot(request).await,
        };
        match responded {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }

    fn response_kind(&self, protocol: Option<HttpProtocol>, request: &Request<Body>) -> ResponseKind {
        match protocol {
            Some(_) => ResponseKind::Http,
            None if self.callers.methods.at(request.uri().path()).is_streaming => ResponseKind::GrpcStream,
            None => ResponseKind::GrpcUnary,
        }
    }
}

/// Returns the parts of a request that the format of its refusal depends on.
fn head_of(request: &Request<Body>) -> Request<Body> {
    let mut head = Request::new(Body::empty());
    *head.method_mut() = request.method().clone();
    *head.version_mut() = request.version();
    for name in [CONTENT_TYPE, ACCEPT, ORIGIN] {
        if let Some(value) = request.headers().get(&name) {
            head.headers_mut().insert(name, value.clone());
        }
    }
    head
}
