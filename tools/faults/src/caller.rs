//! Calls that are retried, each time on another route and with the same `request_id`, until the service
//! accepts or refuses them.

use std::time::{Duration, Instant};

use matchbook_client::{Client, Error, RetryPolicy};
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::moment::Moment;
use crate::routes::{ATTEMPT_TIMEOUT, ServiceRoute, ServiceRoutes};

const MAX_DELAY: Duration = Duration::from_secs(1);

/// Makes calls and counts attempts.
pub(crate) struct RetryingCaller {
    pub(crate) routes: ServiceRoutes,
    pub(crate) rng: StdRng,
    /// When retries end.
    pub(crate) deadline: Instant,
    pub(crate) tally: CallTally,
}

/// The counts of a caller.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct CallTally {
    /// Calls that the service accepted or refused.
    pub(crate) calls: u64,
    /// Attempts that had to be retried.
    pub(crate) retried: u64,
    /// Calls that needed more attempts than a client makes by default.
    pub(crate) gave_up: u64,
    /// Acknowledged calls that were sent again to compare the responses.
    pub(crate) resent: u64,
    pub(crate) slowest: Duration,
}

/// A response, and when and on which route it arrived.
pub(crate) struct Completed<A> {
    pub(crate) response: A,
    pub(crate) route: ServiceRoute,
    pub(crate) sent: Moment,
    pub(crate) received: Moment,
}

/// Why a call has no response.
#[derive(Debug)]
pub(crate) struct CallFailure(pub(crate) String);

impl RetryingCaller {
    pub(crate) fn new(routes: ServiceRoutes, seed: u64, deadline: Instant) -> Self {
        Self { routes, rng: StdRng::seed_from_u64(seed), deadline, tally: CallTally::default() }
    }

    /// Calls until the service accepts or refuses. A message that changes something must have a `request_id`.
    pub(crate) async fn call<Q: Clone, A, F>(
        &mut self,
        message: &Q,
        token: Option<&str>,
        rpc: impl Fn(Client, Q) -> F,
    ) -> Result<Completed<A>, CallFailure>
    where
        F: Future<Output = Result<A, Error>>,
    {
        let route = self.routes.random(&mut self.rng);
        self.call_from(route, message, token, rpc, ServiceRoutes::next_after).await
    }

    /// Calls on this route first, without a token.
    pub(crate) async fn call_first_on<Q: Clone, A, F>(
        &mut self,
        route: ServiceRoute,
        message: &Q,
        rpc: impl Fn(Client, Q) -> F,
    ) -> Result<Completed<A>, CallFailure>
    where
        F: Future<Output = Result<A, Error>>,
    {
        self.call_from(route, message, None, rpc, ServiceRoutes::next_after).await
    }

    /// Calls on one route only, for the response of this very replica.
    pub(crate) async fn call_on<Q: Clone, A, F>(
        &mut self,
        route: ServiceRoute,
        message: &Q,
        rpc: impl Fn(Client, Q) -> F,
    ) -> Result<Completed<A>, CallFailure>
    where
        F: Future<Output = Result<A, Error>>,
    {
        self.call_from(route, message, None, rpc, |_, route| route).await
    }

    async fn call_from<Q: Clone, A, F>(
        &mut self,
        mut route: ServiceRoute,
        message: &Q,
        token: Option<&str>,
        rpc: impl Fn(Client, Q) -> F,
        next_route: fn(&ServiceRoutes, ServiceRoute) -> ServiceRoute,
    ) -> Result<Completed<A>, CallFailure>
    where
        F: Future<Output = Result<A, Error>>,
    {
        let sent = Moment::now();
        let mut failures = 0;
        loop {
            let attempt = rpc(self.client(route, token)?, message.clone());
            let (error, delay) = match tokio::time::timeout(ATTEMPT_TIMEOUT, attempt).await {
                Ok(Ok(response)) => {
                    let received = Moment::now();
                    self.tally.complete(received.at - sent.at);
                    return Ok(Completed { response, route, sent, received });
                }
                Ok(Err(error)) if !may_retry(&error) => {
                    self.tally.complete(sent.at.elapsed());
                    return Err(CallFailure(format!("refused: {error:?}")));
                }
                Ok(Err(error)) => (error.to_string(), error.retry_after()),
                Err(_) => ("no response in time".to_owned(), None),
            };
            failures += 1;
            self.tally.retried += 1;
            self.tally.gave_up += u64::from(is_last_attempt_of_a_client(failures));
            if Instant::now() > self.deadline {
                return Err(CallFailure(format!("no response after {failures} attempts: {error}")));
            }
            tokio::time::sleep(delay_after(failures, delay)).await;
            route = next_route(&self.routes, route);
        }
    }

    fn client(&self, route: ServiceRoute, token: Option<&str>) -> Result<Client, CallFailure> {
        let client = self.routes.client(route);
        let client = token.map_or_else(|| Ok(client.clone()), |token| client.with_seat_token(token));
        client.map_err(|error| CallFailure(error.to_string()))
    }
}

impl CallTally {
    fn complete(&mut self, duration: Duration) {
        self.calls += 1;
        self.slowest = self.slowest.max(duration);
    }

    pub(crate) fn merge(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            retried: self.retried + other.retried,
            gave_up: self.gave_up + other.gave_up,
            resent: self.resent + other.resent,
            slowest: self.slowest.max(other.slowest),
        }
    }
}

/// Returns whether the same call may succeed later or elsewhere: if the error is transient, or if something
/// between caller and service answered, which gives no reason.
pub(crate) fn may_retry(error: &Error) -> bool {
    error.is_transient() || error.refusal().is_some_and(|refusal| refusal.reason.is_none())
}

/// Returns the delay after this many failures in a row, at least the one that the service asked for.
pub(crate) fn delay_after(failures: u32, at_least: Option<Duration>) -> Duration {
    let endless = RetryPolicy::default().attempts(u32::MAX).max_delay(MAX_DELAY);
    endless.delay_after(failures, at_least).unwrap_or(MAX_DELAY)
}

fn is_last_attempt_of_a_client(failures: u32) -> bool {
    let left = |failures| RetryPolicy::default().delay_after(failures, None).is_some();
    !left(failures) && left(failures - 1)
}

#[cfg(test)]
mod tests {
    use matchbook_client::Refusal;
    use tonic::{Code, Status};
    use tonic_types::{ErrorDetails, StatusExt};

    use super::*;

    fn refused(reason: &str) -> Error {
        let details = ErrorDetails::with_error_info(reason, "matchbook.v1", []);
        let status = Status::with_error_details(Code::Unavailable, "no", details);
        Error::Refused(Box::new(Refusal::from(&status)))
    }

    #[test]
    fn the_reason_decides_whether_a_call_is_retried() {
        assert!(!may_retry(&refused("ILLEGAL_MOVE")));
        assert!(!may_retry(&refused("INTERNAL")));
        for reason in ["OUTCOME_UNKNOWN", "OVERLOADED", "RATE_LIMITED", "SHUTTING_DOWN", "TOO_MANY_STREAMS"] {
            assert!(may_retry(&refused(reason)), "{reason}");
        }
        let of_a_proxy = Refusal::from(&Status::cancelled("timeout"));
        assert!(may_retry(&Error::Refused(Box::new(of_a_proxy))));
        let (server, cause) = ("http://127.0.0.1:1".to_owned(), "connection refused".to_owned());
        assert!(may_retry(&Error::Unreachable { server, cause }));
    }

    #[test]
    fn delays_double_up_to_the_maximum() {
        let delays: Vec<u128> = (1..=6).map(|failures| delay_after(failures, None).as_millis()).collect();
        assert_eq!(delays, [100, 200, 400, 800, 1000, 1000]);
        assert_eq!(delay_after(u32::MAX, None), MAX_DELAY);
    }

    #[test]
    fn a_client_gives_up_once() {
        let gave_up: Vec<u32> = (1..50).filter(|failures| is_last_attempt_of_a_client(*failures)).collect();
        assert_eq!(gave_up, [7]);
    }
}
