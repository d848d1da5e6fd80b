//! The response stream of a watch, an export or the feed: converts refusals to statuses and panics to
//! `INTERNAL`, and logs the end of the stream, as admission control sees only its start.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use play::Refusal;
use tokio_stream::Stream;
use tonic::Status;
use tracing::Span;

use crate::admission::CallerStreamPermit;
use crate::protocol;
use crate::telemetry::call_log;
use crate::telemetry::metrics::CallMetrics;

/// The responses of one streaming call.
pub(crate) struct GrpcStream<S> {
    /// `None` once the stream has ended; it is not polled again, and its permit is returned.
    responses: Option<(S, CallerStreamPermit)>,
    span: Span,
    start: Instant,
    sent: u64,
    metrics: Arc<CallMetrics>,
}

impl<S> GrpcStream<S> {
    /// Wraps a stream from `play`. Must be called within the span of its call.
    pub(super) fn new(responses: S, permit: CallerStreamPermit, metrics: Arc<CallMetrics>) -> Self {
        Self {
            responses: Some((responses, permit)),
            span: Span::current(),
            start: Instant::now(),
            sent: 0,
            metrics,
        }
    }

    fn duration_ms(&self) -> f64 {
        call_log::duration_ms(self.start)
    }

    fn fail(&mut self, refusal: &Refusal) -> Status {
        self.responses = None;
        let status = protocol::to_status(refusal);
        call_log::log_refusal(&self.span, &status, self.duration_ms(), &self.metrics);
        status
    }
}

impl<S, R> Stream for GrpcStream<S>
where
    S: Stream<Item = Result<R, Refusal>> + Unpin,
{
    type Item = Result<R, Status>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let span = self.span.clone();
        let _entered = span.enter();
        let Some((responses, _)) = &mut self.responses else { return Poll::Ready(None) };
        match catch_unwind(AssertUnwindSafe(|| Pin::new(responses).poll_next(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(Some(Ok(response)))) => {
                self.sent += 1;
                Poll::Ready(Some(Ok(response)))
            }
            Ok(Poll::Ready(Some(Err(refusal)))) => Poll::Ready(Some(Err(self.fail(&refusal)))),
            Ok(Poll::Ready(None)) => {
                tracing::debug!(sent = self.sent, duration_ms = self.duration_ms(), "stream ended");
                self.responses = None;
                Poll::Ready(None)
            }
            // The panic hook has logged the panic.
            Err(_panic) => Poll::Ready(Some(Err(self.fail(&Refusal::internal())))),
        }
    }
}

impl<S> Drop for GrpcStream<S> {
    fn drop(&mut self) {
        if self.responses.is_some() {
            let _entered = self.span.enter();
            tracing::debug!(sent = self.sent, duration_ms = self.duration_ms(), "caller disconnected");
        }
    }
}
