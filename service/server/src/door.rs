//! The door that every call comes through: it turns away who calls too often, counts who is inside, bounds the wait,
//! catches panics, and sees that whatever goes out is logged once. It knows HTTP and gRPC statuses, not what a call means.

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
use tower::{Layer, Service};
use tracing::Instrument;
use wire::v1::ErrorReason;

use crate::call_log::CallLog;
use crate::effect::{Effect, Method, Methods};
use crate::ending_body::EndingBody;
use crate::limits::ServiceLimits;
use crate::metrics::Calls;
use crate::payer::Accounts;
use crate::rate_limits::RateLimits;
use crate::status;

/// When an overloaded service may be asked again.
const RETRY_AFTER: Duration = Duration::from_millis(250);

/// Puts the door in front of a service.
#[derive(Clone)]
pub(crate) struct DoorLayer {
    inside: Arc<Inside>,
}

/// What all connections share.
struct Inside {
    methods: Methods,
    calls: Arc<Calls>,
    accounts: Accounts,
    rate_limits: RateLimits,
    places: Arc<Semaphore>,
    call_timeout: Duration,
    max_message_bytes: usize,
    stopping: CancellationToken,
}

/// A service behind the door.
#[derive(Clone)]
pub(crate) struct Door<S> {
    inner: S,
    inside: Arc<Inside>,
}

impl DoorLayer {
    /// A door with these limits for these accounts; streams that are not `play`'s end when `stopping` is cancelled.
    pub(crate) fn new(
        limits: &ServiceLimits,
        accounts: Accounts,
        methods: Methods,
        calls: Arc<Calls>,
        stopping: CancellationToken,
    ) -> Self {
        let inside = Inside {
            methods,
            calls,
            accounts,
            rate_limits: RateLimits::new(limits, &DefaultClock::default()),
            places: Arc::new(Semaphore::new(limits.max_calls.min(Semaphore::MAX_PERMITS))),
            call_timeout: limits.call_timeout(),
            max_message_bytes: limits.max_message_bytes,
            stopping,
        };
        Self { inside: Arc::new(inside) }
    }
}

impl<S> Layer<S> for DoorLayer {
    type Service = Door<S>;

    fn layer(&self, inner: S) -> Door<S> {
        Door { inner, inside: Arc::clone(&self.inside) }
    }
}

impl<S> Service<Request<Body>> for Door<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
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
        let inside = Arc::clone(&self.inside);
        let method = inside.methods.at(request.uri().path()).clone();
        let mut log = CallLog::begin(&method, request.headers(), Arc::clone(&inside.calls));
        let span = log.span().clone();
        let answer = async move {
            let response = inside.answer(inner, &method, request).await;
            let response = log.end(response);
            Ok(response)
        };
        Box::pin(answer.instrument(span))
    }
}

impl Inside {
    async fn answer<S>(&self, mut inner: S, method: &Method, mut request: Request<Body>) -> Response<Body>
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    {
        let _place = match method.effect {
            Effect::Serves => None,
            Effect::Changes | Effect::Looks => match self.admitted(&mut request) {
                Ok(place) => Some(place),
                Err(refusal) => return refused(&refusal),
            },
        };
        let work = AssertUnwindSafe(async { inner.call(request).await }).catch_unwind();
        match timeout(self.call_timeout, work).await {
            Ok(Ok(Ok(response))) => self.seen_out(response, method.effect),
            // The panic hook has logged what it was.
            Ok(Err(_panic)) => refused(&Refusal::internal()),
            Err(_elapsed) => refused(&late(method.effect)),
        }
    }

    /// A place inside for who has not called too often; says on the request who that is.
    fn admitted(&self, request: &mut Request<Body>) -> Result<SemaphorePermit<'_>, Refusal> {
        let payer = self.accounts.payer(request);
        self.rate_limits.check(payer)?;
        request.extensions_mut().insert(payer);
        self.places.try_acquire().map_err(|_| full())
    }

    fn seen_out(&self, response: Response<Body>, effect: Effect) -> Response<Body> {
        if too_large(&response) {
            return refused(&self.message_too_large());
        }
        match effect {
            // Health watches and reflection streams would outlast any grace.
            Effect::Serves => response.map(|body| EndingBody::wrap(body, self.stopping.clone())),
            Effect::Changes | Effect::Looks => response,
        }
    }

    fn message_too_large(&self) -> Refusal {
        let limit = self.max_message_bytes;
        let message = format!("the request is larger than the {limit} bytes that this service reads");
        Refusal::new(ErrorReason::MessageTooLarge, message).with("max_bytes", limit)
    }
}

/// tonic says OUT_OF_RANGE to a message that is too long. A status of ours with that code has details.
fn too_large(response: &Response<Body>) -> bool {
    let status = response.extensions().get::<Status>();
    status.is_some_and(|status| status.code() == Code::OutOfRange && status.details().is_empty())
}

fn refused(refusal: &Refusal) -> Response<Body> {
    status::of(refusal).into_http()
}

fn full() -> Refusal {
    let message = "the service is answering as many calls as it takes at once; try again a little later";
    Refusal::new(ErrorReason::Overloaded, message).retry_after(RETRY_AFTER)
}

fn late(effect: Effect) -> Refusal {
    match effect {
        // The work goes on: giving up the wait does not undo it.
        Effect::Changes => Refusal::new(
            ErrorReason::OutcomeUnknown,
            "the answer took too long, and the call may or may not have taken effect; repeat it with the same \
             `request_id`",
        )
        .retry_after(RETRY_AFTER),
        Effect::Looks | Effect::Serves => {
            Refusal::new(ErrorReason::Overloaded, "the answer took too long; try again").retry_after(RETRY_AFTER)
        }
    }
}

#[cfg(test)]
mod tests {
    use play::KeyRing;
    use tower::service_fn;

    use super::*;
    use crate::metrics::Metrics;
    use crate::origin::TrustedProxies;
    use crate::telemetry::OtlpSettings;

    fn door(limits: &ServiceLimits) -> DoorLayer {
        let accounts = Accounts::new(TrustedProxies::default(), KeyRing::open());
        let methods = Methods::of_protocol();
        let calls = Arc::new(Calls::new(&methods, Metrics::new(&OtlpSettings::default()).unwrap().meter()));
        DoorLayer::new(limits, accounts, methods, calls, CancellationToken::new())
    }

    fn knock(path: &str) -> Request<Body> {
        Request::builder().uri(path).body(Body::empty()).unwrap()
    }

    fn reason(response: &Response<Body>) -> Option<ErrorReason> {
        status::reason(response.extensions().get::<Status>()?)
    }

    #[tokio::test]
    async fn a_panic_is_an_answer() {
        let layer = door(&ServiceLimits::default());
        let mut door = layer.layer(service_fn(async |request: Request<Body>| {
            assert_ne!(request.uri().path(), "/matchbook.v1.GameService/GetGame", "a secret");
            Ok(Response::new(Body::empty()))
        }));
        let response = door.call(knock("/matchbook.v1.GameService/GetGame")).await.unwrap();
        assert_eq!(reason(&response), Some(ErrorReason::Internal));
        let status = response.extensions().get::<Status>().unwrap();
        assert!(!format!("{status:?}").contains("secret"));
        let response = door.call(knock("/matchbook.v1.GameService/ListGames")).await.unwrap();
        assert!(response.extensions().get::<Status>().is_none());
    }

    #[tokio::test]
    async fn a_caller_that_goes_away_leaves_its_place() {
        let limits = ServiceLimits { max_calls: 1, ..ServiceLimits::default() };
        let layer = door(&limits);
        let mut door = layer.layer(service_fn(async |_: Request<Body>| std::future::pending().await));
        let path = "/matchbook.v1.MatchService/GetView";
        let mut inside = door.call(knock(path));
        assert!((&mut inside).now_or_never().is_none());
        let response = door.call(knock(path)).await.unwrap();
        assert_eq!(reason(&response), Some(ErrorReason::Overloaded));
        drop(inside);
        assert!(door.call(knock(path)).now_or_never().is_none());
    }
}
