//! The tower layer that wraps the gRPC service with admission control: rate limits, concurrency permits,
//! timeout, panic handling, logging.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt;
use governor::clock::DefaultClock;
use http::{Request, Response};
use play::Refusal;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::{Code, Status};
use tower::{Layer, Service, ServiceExt};
use tracing::Instrument;
use wire::v1::ErrorReason;

use super::rate_limit_fields::RateLimitFields;
use super::rate_limit_key::RateLimitKeys;
use super::rate_limiter::RateLimiter;
use super::stream_end::EndAtShutdown;
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
    rate_limit_keys: RateLimitKeys,
    rate_limiter: RateLimiter,
    permits: Arc<Semaphore>,
    call_timeout: Duration,
    max_message_bytes: usize,
    stopping: CancellationToken,
}

/// A service wrapped with admission control.
#[derive(Clone)]
pub(crate) struct Admission<S> {
    inner: S,
    state: Arc<AdmissionState>,
}

impl AdmissionLayer {
    /// Creates the layer. When `stopping` is cancelled, the streams of health and reflection end; `play` ends
    /// the others.
    pub(crate) fn new(
        limits: &ServiceLimits,
        rate_limit_keys: RateLimitKeys,
        methods: RpcMethods,
        metrics: Arc<CallMetrics>,
        stopping: CancellationToken,
    ) -> Self {
        let state = AdmissionState {
            methods,
            metrics,
            rate_limit_keys,
            rate_limiter: RateLimiter::new(limits, &DefaultClock::default()),
            permits: Arc::new(Semaphore::new(limits.max_calls.min(Semaphore::MAX_PERMITS))),
            call_timeout: limits.call_timeout(),
            max_message_bytes: limits.max_message_bytes,
            stopping,
        };
        Self { state: Arc::new(state) }
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
        let admitted = match method.kind {
            MethodKind::Infrastructure => Ok(None),
            MethodKind::Write | MethodKind::Read => self.admit(method, &mut request, &mut fields).map(Some),
        };
        let mut response = match admitted {
            Ok(_permit) => self.call(inner, method, request).await,
            Err(refusal) => to_response(&refusal),
        };
        fields.add_to(response.headers_mut());
        response
    }

    /// Makes an admitted call, with a time limit.
    async fn call<S>(&self, inner: S, method: &RpcMethod, request: Request<Body>) -> Response<Body>
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    {
        let work = AssertUnwindSafe(inner.oneshot(request)).catch_unwind();
        match timeout(self.call_timeout, work).await {
            Ok(Ok(Ok(response))) => self.finish(response, method.kind),
            // The panic hook has logged the panic.
            Ok(Err(_panic)) => to_response(&Refusal::internal()),
            Err(_elapsed) => to_response(&timed_out(method.kind)),
        }
    }

    /// Checks the rate limits and acquires a permit. Leaves the rate limit key in the request's extensions.
    fn admit(
        &self,
        method: &RpcMethod,
        request: &mut Request<Body>,
        fields: &mut RateLimitFields,
    ) -> Result<SemaphorePermit<'_>, Refusal> {
        let key = self.rate_limit_keys.of(request);
        self.rate_limiter.check(method, key, fields)?;
        request.extensions_mut().insert(key);
        self.permits.try_acquire().map_err(|_| overloaded())
    }

    fn finish(&self, response: Response<Body>, kind: MethodKind) -> Response<Body> {
        if is_message_too_large(&response) {
            return to_response(&self.message_too_large());
        }
        match kind {
            // Health watches and reflection streams have no end of their own.
            MethodKind::Infrastructure => {
                response.map(|body| EndAtShutdown::wrap(body, self.stopping.clone()))
            }
            MethodKind::Write | MethodKind::Read => response,
        }
    }

    fn message_too_large(&self) -> Refusal {
        let limit = self.max_message_bytes;
        let message = format!("the request exceeds the limit of {limit} bytes");
        Refusal::new(ErrorReason::MessageTooLarge, message).with("max_bytes", limit)
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

fn overloaded() -> Refusal {
    let message = "the service is at its limit of concurrent calls; retry later";
    Refusal::new(ErrorReason::Overloaded, message).retry_after(RETRY_AFTER)
}

fn timed_out(kind: MethodKind) -> Refusal {
    match kind {
        // The write continues in a task of its own; the timeout does not undo it.
        MethodKind::Write => Refusal::new(
            ErrorReason::OutcomeUnknown,
            "the call timed out and may or may not have taken effect; retry it with the same `request_id`",
        )
        .retry_after(RETRY_AFTER),
        MethodKind::Read | MethodKind::Infrastructure => {
            Refusal::new(ErrorReason::Overloaded, "the call timed out; retry it").retry_after(RETRY_AFTER)
        }
    }
}

#[cfg(test)]
mod tests {
    use play::KeyRing;
    use tower::service_fn;

    use super::*;
    use crate::listener::TrustedProxies;
    use crate::telemetry::OtlpSettings;
    use crate::telemetry::metrics::Metrics;

    fn layer(limits: &ServiceLimits) -> AdmissionLayer {
        let keys = RateLimitKeys::new(TrustedProxies::default(), KeyRing::open());
        let methods = RpcMethods::from_descriptors();
        let metrics = Metrics::new(&OtlpSettings::default()).unwrap();
        let metrics = Arc::new(CallMetrics::new(&methods, metrics.meter()));
        AdmissionLayer::new(limits, keys, methods, metrics, CancellationToken::new())
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
