//! A watch on its way out: refusals become statuses, a panic becomes `internal`, and its end is logged, since the
//! door sees only its beginning.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use play::{Refusal, Watch};
use tokio_stream::Stream;
use tonic::Status;
use tracing::Span;
use wire::v1::WatchMatchResponse;

use crate::metrics::Calls;
use crate::watch_places::WatchPlace;
use crate::{call_log, status};

/// The frames of one watch.
pub(crate) struct WatchFrames {
    /// None once it has ended; nothing is asked of it after that, and its place is free.
    watch: Option<(Watch, WatchPlace)>,
    span: Span,
    began: Instant,
    frames: u64,
    calls: Arc<Calls>,
}

impl WatchFrames {
    /// Takes the watch out of `play`'s hands, within the span of its call.
    pub(crate) fn new(watch: Watch, place: WatchPlace, calls: Arc<Calls>) -> Self {
        Self { watch: Some((watch, place)), span: Span::current(), began: Instant::now(), frames: 0, calls }
    }

    fn duration_ms(&self) -> f64 {
        call_log::duration_ms(self.began)
    }

    fn fail(&mut self, refusal: &Refusal) -> Status {
        self.watch = None;
        let status = status::of(refusal);
        call_log::refused(&status, self.duration_ms(), &self.calls);
        status
    }
}

impl Stream for WatchFrames {
    type Item = Result<WatchMatchResponse, Status>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let span = self.span.clone();
        let _within = span.enter();
        let Some((watch, _)) = &mut self.watch else { return Poll::Ready(None) };
        match catch_unwind(AssertUnwindSafe(|| Pin::new(watch).poll_next(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(Some(Ok(frame)))) => {
                self.frames += 1;
                Poll::Ready(Some(Ok(frame)))
            }
            Ok(Poll::Ready(Some(Err(refusal)))) => Poll::Ready(Some(Err(self.fail(&refusal)))),
            Ok(Poll::Ready(None)) => {
                tracing::debug!(frames = self.frames, duration_ms = self.duration_ms(), "the watch is over");
                self.watch = None;
                Poll::Ready(None)
            }
            // The panic hook has logged what it was.
            Err(_panic) => Poll::Ready(Some(Err(self.fail(&Refusal::internal())))),
        }
    }
}

impl Drop for WatchFrames {
    fn drop(&mut self) {
        if self.watch.is_some() {
            let _within = self.span.enter();
            tracing::debug!(frames = self.frames, duration_ms = self.duration_ms(), "the watcher went away");
        }
    }
}
