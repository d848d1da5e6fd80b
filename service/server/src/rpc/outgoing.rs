//! A stream of answers on its way out, a watch, an export or a feed: refusals become statuses, a panic becomes `internal`, and
//! its end is logged, since the door sees only its beginning.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use play::Refusal;
use tokio_stream::Stream;
use tonic::Status;
use tracing::Span;

use crate::metrics::Calls;
use crate::watch_places::WatchPlace;
use crate::{call_log, status};

/// The answers of one call.
pub(crate) struct Outgoing<S> {
    /// None once it has ended; nothing is asked of it after that, and its place is free.
    answers: Option<(S, WatchPlace)>,
    span: Span,
    began: Instant,
    sent: u64,
    calls: Arc<Calls>,
}

impl<S> Outgoing<S> {
    /// Takes the stream out of `play`'s hands, within the span of its call.
    pub(crate) fn new(answers: S, place: WatchPlace, calls: Arc<Calls>) -> Self {
        Self { answers: Some((answers, place)), span: Span::current(), began: Instant::now(), sent: 0, calls }
    }

    fn duration_ms(&self) -> f64 {
        call_log::duration_ms(self.began)
    }

    fn fail(&mut self, refusal: &Refusal) -> Status {
        self.answers = None;
        let status = status::of(refusal);
        call_log::refused(&self.span, &status, self.duration_ms(), &self.calls);
        status
    }
}

impl<S, A> Stream for Outgoing<S>
where
    S: Stream<Item = Result<A, Refusal>> + Unpin,
{
    type Item = Result<A, Status>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let span = self.span.clone();
        let _within = span.enter();
        let Some((answers, _)) = &mut self.answers else { return Poll::Ready(None) };
        match catch_unwind(AssertUnwindSafe(|| Pin::new(answers).poll_next(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(Some(Ok(answer)))) => {
                self.sent += 1;
                Poll::Ready(Some(Ok(answer)))
            }
            Ok(Poll::Ready(Some(Err(refusal)))) => Poll::Ready(Some(Err(self.fail(&refusal)))),
            Ok(Poll::Ready(None)) => {
                tracing::debug!(sent = self.sent, duration_ms = self.duration_ms(), "the stream is over");
                self.answers = None;
                Poll::Ready(None)
            }
            // The panic hook has logged what it was.
            Err(_panic) => Poll::Ready(Some(Err(self.fail(&Refusal::internal())))),
        }
    }
}

impl<S> Drop for Outgoing<S> {
    fn drop(&mut self) {
        if self.answers.is_some() {
            let _within = self.span.enter();
            tracing::debug!(sent = self.sent, duration_ms = self.duration_ms(), "the caller went away");
        }
    }
}
