//! Admits each message of a request stream as a call of its own: rate limits, a permit, a time limit, a log
//! line and metrics, as if it had come alone.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use play::Refusal;
use tokio::time::timeout;
use tracing::Instrument;

use super::caller_limits::CallerLimits;
use super::layer::{timed_out, too_many_calls};
use super::rate_limit_key::RateLimitKey;
use super::shares::Pool;
use crate::protocol::RpcMethod;
use crate::telemetry::call_log::CallLog;
use crate::telemetry::metrics::CallMetrics;

/// The calls that the messages of streams make.
pub(crate) struct StreamedCalls {
    /// The method that a message could have been a call of.
    pub(super) method: RpcMethod,
    pub(super) limits: CallerLimits,
    pub(super) calls: Pool,
    pub(super) call_timeout: Duration,
    pub(super) metrics: Arc<CallMetrics>,
}

impl StreamedCalls {
    /// Makes a call for a message of the stream of `caller`, with the seat's token of the message.
    pub(crate) async fn call<T>(
        &self,
        caller: RateLimitKey,
        token: Option<&str>,
        work: impl Future<Output = Result<T, Refusal>>,
    ) -> Result<T, Refusal> {
        let log = CallLog::start_message(&self.method, Arc::clone(&self.metrics));
        let span = log.span().clone();
        async move {
            let result = self.admit(caller, token, work).await;
            log.finish_message(result.as_ref().err());
            result
        }
        .instrument(span)
        .await
    }

    async fn admit<T>(
        &self,
        caller: RateLimitKey,
        token: Option<&str>,
        work: impl Future<Output = Result<T, Refusal>>,
    ) -> Result<T, Refusal> {
        let key = token.map_or(caller, |token| self.limits.key_of_seat(caller, token));
        self.limits.count_message(&self.method, key)?;
        let account = self.calls.account(key.api_key_or_address());
        let _permit = account.acquire(1).map_err(too_many_calls)?;
        match timeout(self.call_timeout, AssertUnwindSafe(work).catch_unwind()).await {
            Ok(Ok(result)) => result,
            // The panic hook has logged the panic.
            Ok(Err(_panic)) => Err(Refusal::internal()),
            Err(_elapsed) => Err(timed_out(self.method.kind)),
        }
    }
}
