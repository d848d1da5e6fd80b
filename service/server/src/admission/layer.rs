//! The tower layer that wraps the gRPC service with admission control: rate limits, concurrency permits,
//! timeout, panic handling, logging.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt;
use http::{Request, Response};
use play::Refusal;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::{Code, Status};
use tower::{Layer, Service, ServiceExt};
use tracing::Instrument;
use wire::v1::ErrorReason;

use super::caller_limits::CallerLimits;
use super::caller_streams::CallerStreams;
use super::counted_messages::CountedMessages;
use super::rate_limit_fields::RateLimitFields;
use super::rate_limit_key::RateLimitKey;
use super::request_message::MessageLimits;
use super::shares::{Exhausted, Pool};
use super::stream_end::StreamEnd;
use super::streamed_calls::StreamedCalls;
use crate::limits::ServiceLimits;
use crate::protocol::{self, MethodKind, RpcMethod, RpcMethods};
use crate::telemetry::call_log::CallLog;
use crate::telemetry::metrics::CallMetrics;

/// When a caller may retry after `OVERLOADED` or a timeout.
const RETRY_AFTER: Duration = Duration::from_millis(250);

/// Wraps a service with admission control.
#[derive(Clone)]
pub(crate) struct AdmissionLayer {
    state: Arc<AdmissionState>,
}

/// The state shared by all connections.
struct AdmissionState {
    methods: RpcMethods,
    metrics: Arc<CallMetrics>,
    caller_limits: CallerLimits,
    streams: CallerStreams,
    calls: Pool,
    call_timeout: Duration,
    messages: MessageLimits,
    stopping: CancellationToken,
}

/// A service wrapped with admission control.
#[derive(Clone)]
pub(crate) struct Admission<S> {
    inner: S,
    state: Arc<AdmissionState>,
}

impl AdmissionLayer {
    /// Creates the layer. When `stopping` is cancelled, the streams of health and reflection end; `play` and
    /// the services end the others.
    pub(crate) fn new(
        limits: &ServiceLimits,
        caller_limits: CallerLimits,
        streams: CallerStreams,
        methods: RpcMethods,
        metrics: Arc<CallMetrics>,
        stopping: CancellationToken,
    ) -> Self {
        let state = AdmissionState {
            methods,
            metrics,
            caller_limits,
            streams,
            calls: Pool::new(limits.max_calls),
            call_timeout: limits.call_timeout,
            messages: MessageLimits { max_bytes: limits.max_message_bytes, timeout: limits.body_timeout },
            stopping,
        };
        Self { state: Arc::new(state) }
    }

    /// Returns what makes calls of a method for the messages of streams, within the limits of all calls.
    pub(crate) fn calls_of(&self, method: &str) -> StreamedCalls {
        let state = &*self.state;
        StreamedCalls {
            method: state.methods.at(method).clone(),
            limits: state.caller_limits.clone(),
            calls: state.calls.clone(),
            call_timeout: state.call_timeout,
            metrics: Arc::clone(&state.metrics),
        }
    }
}

impl<S> Layer<S> for AdmissionLayer {
    type Service = Admission<S>;

    fn layer(&self, inner: S) -> Admission<S> {
        Admission { inner, state: Arc::clone(&self.state) }
    }
}

impl<S> Service<Request<Body>> for Admission<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
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
        let state = Arc::clone(&self.state);
        let method = state.methods.at(request.uri().path()).clone();
        let mut log = CallLog::start(&method, &request, Arc::clone(&state.metrics));
        let span = log.span().clone();
        let respond = async move {
            let response = state.respond(inner, &method, request).await;
            let response = log.finish(response);
            Ok(response)
        };
        Box::pin(respond.instrument(span))
    }
}

impl AdmissionState {
    async fn respond<S>(&self, inner: S, method: &RpcMethod, mut request: Request<Body>) -> Response<Body>
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    {
        let mut fields = RateLimitFields::default();
        let mut response = match self.caller_limits.count(method, &mut request, &mut fields) {
            Ok(()) => self.respond_to_counted(inner, method, request).await,
            Err(refusal) => to_response(&refusal),
        };
        fields.add_to(response.headers_mut());
        response
    }

    async fn respond_to_counted<S>(
        &self,
        inner: S,
        method: &RpcMethod,
        request: Request<Body>,
    ) -> Response<Body>
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    {
        let key = CallerLimits::key(request.extensions()).unwrap_or(RateLimitKey::Local);
        match method.kind {
            // Each message of a request stream is admitted for itself.
            MethodKind::Health | MethodKind::RequestStream => self.call(inner, method, request).await,
            MethodKind::Other => match self.streams.acquire(key) {
                Ok(permit) => {
                    let (limits, counted) = (self.caller_limits.clone(), method.clone());
                    let count = move || limits.count_message(&counted, key);
                    let (parts, body) = request.into_parts();
                    let (body, refused) = CountedMessages::wrap(body, count);
                    let response = self.call(inner, method, Request::from_parts(parts, body)).await;
                    // Health watches and reflection streams have no end of their own.
                    response.map(|body| StreamEnd::wrap(body, permit, refused, self.stopping.clone()))
                }
                Err(refusal) => to_response(&refusal),
            },
            MethodKind::Write | MethodKind::Read => {
                let request = match self.messages.receive(request).await {
                    Ok(request) => request,
                    Err(refused) => return refused,
                };
                match self.calls.account(key.api_key_or_address()).acquire(1) {
                    Ok(_permit) => self.call(inner, method, request).await,
                    Err(exhausted) => to_response(&too_many_calls(exhausted)),
                }
            }
        }
    }

    /// Makes an admitted call, with a time limit.
    async fn call<S>(&self, inner: S, method: &RpcMethod, request: Request<Body>) -> Response<Body>
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    {
        let time = protocol::grpc_timeout(request.headers()).unwrap_or(Duration::MAX).min(self.call_timeout);
        let work = AssertUnwindSafe(inner.oneshot(request)).catch_unwind();
        match timeout(time, work).await {
            Ok(Ok(Ok(response))) if is_message_too_large(&response) => {
                to_response(&self.messages.too_large())
            }
            Ok(Ok(Ok(response))) => response,
            // The panic hook has logged the panic.
            Ok(Err(_panic)) => to_response(&Refusal::internal()),
            Err(_elapsed) => to_response(&timed_out(method.kind)),
        }
    }
}

/// Detects tonic's response to a request that is too large: OUT_OF_RANGE without details, which our statuses
/// always have.
fn is_message_too_large(response: &Response<Body>) -> bool {
    let status = response.extensions().get::<Status>();
    status.is_some_and(|status| status.code() == Code::OutOfRange && status.details().is_empty())
}

fn to_response(refusal: &Refusal) -> Response<Body> {
    protocol::to_status(refusal).into_http()
}

pub(super) fn too_many_calls(exhausted: Exhausted) -> Refusal {
    let (reason, message) = match exhausted {
        Exhausted::Pool => {
            (ErrorReason::Overloaded, "the service is at its limit of concurrent calls; retry later")
        }
        Exhausted::Share => (
            ErrorReason::RateLimited,
            "this caller or its network has its share of the service's concurrent calls; retry when some \
             have ended",
        ),
    };
    Refusal::new(reason, message).retry_after(RETRY_AFTER)
}

pub(super) fn timed_out(kind: MethodKind) -> Refusal {
    match kind {
        // The write continues in a task of its own; the timeout does not undo it.
        MethodKind::Write => Refusal::new(
            ErrorReason::OutcomeUnknown,
            "the call timed out and may or may not have taken effect; retry it with the same `request_id`",
        )
        .retry_after(RETRY_AFTER),
        MethodKind::Read | MethodKind::RequestStream | MethodKind::Health | MethodKind::Other => {
            Refusal::new(ErrorReason::Overloaded, "the call timed out; retry it").retry_after(RETRY_AFTER)
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use futures_util::stream::pending;
    use http_body::Frame;
    use http_body_util::StreamBody;
    use play::{KeyRing, ServiceKey};
    use tonic_types::StatusExt;
    use tower::service_fn;

    use super::*;
    use crate::admission::RateLimitKeys;
    use crate::listener::TrustedProxies;
    use crate::telemetry::OtlpSettings;
    use crate::telemetry::metrics::Metrics;

    fn layer(limits: &ServiceLimits) -> AdmissionLayer {
        let tokens = ServiceKey::from_bytes([1; 32]).seat_tokens();
        let keys = RateLimitKeys::new(TrustedProxies::default(), KeyRing::open(), tokens);
        let methods = RpcMethods::from_descriptors();
        let metrics = Metrics::new(&OtlpSettings::default()).unwrap();
        let metrics = Arc::new(CallMetrics::new(&methods, metrics.meter()));
        let streams = CallerStreams::new(limits);
        let caller_limits = CallerLimits::new(limits, keys);
        AdmissionLayer::new(limits, caller_limits, streams, methods, metrics, CancellationToken::new())
    }

    fn request(path: &str) -> Request<Body> {
        Request::builder().uri(path).body(Body::empty()).unwrap()
    }

    fn reason(response: &Response<Body>) -> Option<ErrorReason> {
        protocol::reason_of(response.extensions().get::<Status>()?)
    }

    #[tokio::test]
    async fn a_panic_becomes_an_internal_error() {
        let mut service =
            layer(&ServiceLimits::default()).layer(service_fn(async |request: Request<Body>| {
                assert_ne!(request.uri().path(), "/matchbook.v1.GameService/GetGame", "a secret");
                Ok(Response::new(Body::empty()))
            }));
        let response = service.call(request("/matchbook.v1.GameService/GetGame")).await.unwrap();
        assert_eq!(reason(&response), Some(ErrorReason::Internal));
        let status = response.extensions().get::<Status>().unwrap();
        assert!(!format!("{status:?}").contains("secret"));
        let response = service.call(request("/matchbook.v1.GameService/ListGames")).await.unwrap();
        assert!(response.extensions().get::<Status>().is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_beyond_its_time_fails_as_its_kind_does() {
        let mut service = layer(&ServiceLimits::default())
            .layer(service_fn(async |_: Request<Body>| std::future::pending().await));
        for (method, expected) in [
            ("MatchService/SubmitMove", ErrorReason::OutcomeUnknown),
            ("MatchService/CreateMatch", ErrorReason::OutcomeUnknown),
            ("MatchService/ClaimSeat", ErrorReason::OutcomeUnknown),
            ("MatchService/GetView", ErrorReason::Overloaded),
        ] {
            let path = format!("/matchbook.v1.{method}");
            let response = service.call(request(&path)).await.unwrap();
            assert_eq!(reason(&response), Some(expected), "{method}");
            let status = response.extensions().get::<Status>().unwrap();
            assert!(status.get_details_retry_info().is_some(), "{method}");

            // A client's own deadline is no longer than the service's.
            let mut hurried = request(&path);
            hurried.headers_mut().insert("grpc-timeout", "20m".parse().unwrap());
            let start = tokio::time::Instant::now();
            let response = service.call(hurried).await.unwrap();
            assert_eq!(reason(&response), Some(expected), "{method}");
            assert_eq!(start.elapsed().as_millis(), 20, "{method}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_message_that_does_not_arrive_takes_no_permit() {
        let limits = ServiceLimits { max_calls: 1, ..ServiceLimits::default() };
        let mut service =
            layer(&limits).layer(service_fn(async |_: Request<Body>| Ok(Response::new(Body::empty()))));
        let path = "/matchbook.v1.MatchService/SubmitMove";
        let never = Body::new(StreamBody::new(pending::<Result<Frame<Bytes>, Status>>()));
        let mut unfinished = service.call(Request::builder().uri(path).body(never).unwrap());
        assert!((&mut unfinished).now_or_never().is_none());
        let response = service.call(request(path)).await.unwrap();
        assert_eq!(reason(&response), None, "the only permit is free");
        let response = unfinished.await.unwrap();
        assert_eq!(reason(&response), Some(ErrorReason::InvalidArgument));
    }

    #[tokio::test]
    async fn a_cancelled_call_returns_its_permit() {
        let limits = ServiceLimits { max_calls: 1, ..ServiceLimits::default() };
        let mut service =
            layer(&limits).layer(service_fn(async |_: Request<Body>| std::future::pending().await));
        let path = "/matchbook.v1.MatchService/GetView";
        let mut running = service.call(request(path));
        assert!((&mut running).now_or_never().is_none());
        let response = service.call(request(path)).await.unwrap();
        assert_eq!(reason(&response), Some(ErrorReason::Overloaded));
        drop(running);
        assert!(service.call(request(path)).now_or_never().is_none());
    }
}
