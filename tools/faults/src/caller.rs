//! A caller that is answered in the end: the same message with the same `request_id` again and again, on
//! another way each time, until the service says yes or no. This is what docs/api.md asks of every client.

use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::StdRng;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use tonic::{Request, Response, Status};
use tonic_types::StatusExt;

use crate::moment::Moment;
use crate::routes::{Routes, Way};

/// An attempt that is not answered in this time is given up, and another way is tried.
const ATTEMPT_WITHIN: Duration = Duration::from_secs(3);
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// The client `matchbook` tries so often before it tells its user.
const ATTEMPTS_OF_A_CLIENT: u32 = 7;
/// Reasons with which the service asks to be asked again.
const PASSING: [&str; 5] =
    ["outcome_unknown", "overloaded", "rate_limited", "shutting_down", "too_many_streams"];

/// What proves a seat.
pub(crate) type Token = MetadataValue<Ascii>;

/// Makes calls, and counts how hard that was.
pub(crate) struct Caller {
    pub(crate) routes: Routes,
    pub(crate) rng: StdRng,
    /// Nobody waits for an answer longer than this.
    pub(crate) patience: Instant,
    pub(crate) tally: Tally,
}

/// What a caller has counted.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Tally {
    /// Calls that were answered, or refused for good.
    pub(crate) calls: u64,
    /// Attempts that had to be repeated.
    pub(crate) retried: u64,
    /// Calls on which the client `matchbook` would have given up.
    pub(crate) gave_up: u64,
    /// Answered calls that were sent once more, to see whether they are answered the same.
    pub(crate) repeated: u64,
    pub(crate) slowest: Duration,
}

/// An answer, and when and how it came.
pub(crate) struct Settled<A> {
    pub(crate) answer: A,
    pub(crate) way: Way,
    pub(crate) sent: Moment,
    pub(crate) answered: Moment,
}

/// Why a call has no answer, in words.
#[derive(Debug)]
pub(crate) struct Unsettled(pub(crate) String);

impl Caller {
    pub(crate) fn new(routes: Routes, seed: u64, patience: Instant) -> Self {
        Self { routes, rng: StdRng::seed_from_u64(seed), patience, tally: Tally::default() }
    }

    /// Calls until the service has said yes or no. The message must have its `request_id` if it changes
    /// something.
    pub(crate) async fn settle<Q: Clone, A, F>(
        &mut self,
        message: &Q,
        token: Option<&Token>,
        rpc: impl Fn(Channel, Request<Q>) -> F,
    ) -> Result<Settled<A>, Unsettled>
    where
        F: Future<Output = Result<Response<A>, Status>>,
    {
        let way = self.routes.any(&mut self.rng);
        self.settle_from(way, message, token, rpc, Routes::other_than).await
    }

    /// The same on one way alone, for what this replica has to say itself.
    pub(crate) async fn settle_on<Q: Clone, A, F>(
        &mut self,
        way: Way,
        message: &Q,
        token: Option<&Token>,
        rpc: impl Fn(Channel, Request<Q>) -> F,
    ) -> Result<Settled<A>, Unsettled>
    where
        F: Future<Output = Result<Response<A>, Status>>,
    {
        self.settle_from(way, message, token, rpc, |_, way| way).await
    }

    async fn settle_from<Q: Clone, A, F>(
        &mut self,
        mut way: Way,
        message: &Q,
        token: Option<&Token>,
        rpc: impl Fn(Channel, Request<Q>) -> F,
        next: fn(&Routes, Way) -> Way,
    ) -> Result<Settled<A>, Unsettled>
    where
        F: Future<Output = Result<Response<A>, Status>>,
    {
        let sent = Moment::now();
        let mut attempts = 0;
        loop {
            let attempt = rpc(self.routes.channel(way), request(message.clone(), token));
            let status = match tokio::time::timeout(ATTEMPT_WITHIN, attempt).await {
                Ok(Ok(response)) => {
                    let answered = Moment::now();
                    self.tally.settled(answered.at - sent.at);
                    return Ok(Settled { answer: response.into_inner(), way, sent, answered });
                }
                Ok(Err(status)) => status,
                Err(_) => Status::cancelled("no answer in time"),
            };
            if let Some(reason) = refusal(&status) {
                self.tally.settled(sent.at.elapsed());
                return Err(Unsettled(format!("refused as {reason}: {}", status.message())));
            }
            attempts += 1;
            self.tally.retried += 1;
            self.tally.gave_up += u64::from(attempts == ATTEMPTS_OF_A_CLIENT);
            if Instant::now() > self.patience {
                return Err(Unsettled(format!(
                    "no answer after {attempts} attempts, the last one: {status}"
                )));
            }
            tokio::time::sleep(wait_after(attempts)).await;
            way = next(&self.routes, way);
        }
    }
}

impl Tally {
    fn settled(&mut self, took: Duration) {
        self.calls += 1;
        self.slowest = self.slowest.max(took);
    }

    /// Both together.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            retried: self.retried + other.retried,
            gave_up: self.gave_up + other.gave_up,
            repeated: self.repeated + other.repeated,
            slowest: self.slowest.max(other.slowest),
        }
    }
}

/// A message with what proves the caller's seat.
pub(crate) fn request<Q>(message: Q, token: Option<&Token>) -> Request<Q> {
    let mut request = Request::new(message);
    if let Some(token) = token {
        request.metadata_mut().insert("authorization", token.clone());
    }
    request
}

/// The service's word if it has refused the call for good; none if the same call may succeed later, or
/// elsewhere.
pub(crate) fn refusal(status: &Status) -> Option<String> {
    let reason = status.get_error_details().error_info().map(|info| info.reason.clone())?;
    (!PASSING.contains(&reason.as_str())).then_some(reason)
}

/// How long to wait after so many attempts.
pub(crate) fn wait_after(attempts: u32) -> Duration {
    let doubled = FIRST_WAIT.saturating_mul(1 << attempts.saturating_sub(1).min(10));
    doubled.min(LONGEST_WAIT)
}

#[cfg(test)]
mod tests {
    use tonic::Code;
    use tonic_types::ErrorDetails;

    use super::*;

    fn refused(reason: &str) -> Status {
        let details = ErrorDetails::with_error_info(reason, "matchbook", []);
        Status::with_error_details(Code::Unavailable, "no", details)
    }

    #[test]
    fn the_service_s_reason_decides_whether_to_ask_again() {
        assert_eq!(refusal(&refused("illegal_move")), Some("illegal_move".to_owned()));
        assert_eq!(refusal(&refused("internal")), Some("internal".to_owned()));
        for reason in PASSING {
            assert_eq!(refusal(&refused(reason)), None, "{reason}");
        }
        assert_eq!(refusal(&Status::unavailable("connection refused")), None);
    }

    #[test]
    fn waits_double_up_to_the_longest() {
        let waits: Vec<u128> = (1..=6).map(|attempts| wait_after(attempts).as_millis()).collect();
        assert_eq!(waits, [100, 200, 400, 800, 1000, 1000]);
        assert_eq!(wait_after(u32::MAX), LONGEST_WAIT);
    }
}
