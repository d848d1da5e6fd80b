//! Bounds on the service's long computations, folding logs and choosing moves: how many run at once, and that
//! they keep no worker of the runtime from other calls.

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tracing::Span;

use crate::Refusal;

/// Maximum events that are folded where the call runs. So many take less than a millisecond.
const FEW_EVENTS: usize = 32;

/// Threads for folds of more than a few events, a page at a time, and for choosing moves. Looks at the past
/// and thoughts wait for each other, never the fold of a match that is to be played on. Pages take turns, so
/// a long fold lets short ones pass.
pub(super) struct FoldPool {
    heads: Arc<Semaphore>,
    past: Arc<Semaphore>,
}

impl Default for FoldPool {
    /// Allows folds of each sort on half of the processors.
    fn default() -> Self {
        let permits = available_parallelism().map_or(1, NonZero::get).div_ceil(2);
        Self { heads: Arc::new(Semaphore::new(permits)), past: Arc::new(Semaphore::new(permits)) }
    }
}

impl FoldPool {
    /// Folds this many events onto a match's head.
    pub(super) async fn for_head<T: Send + 'static>(
        &self,
        events: usize,
        fold: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        run(&self.heads, events, fold).await
    }

    /// Folds this many events of a match's past.
    pub(super) async fn for_past<T: Send + 'static>(
        &self,
        events: usize,
        fold: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        run(&self.past, events, fold).await
    }

    /// Chooses a move.
    pub(super) async fn for_thought<T: Send + 'static>(
        &self,
        choose: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        run_on_thread(&self.past, || Ok(choose())).await
    }
}

/// Runs a fold: at once if it is short, otherwise on a thread of its own once there is a permit, which it
/// holds to its end even if the caller leaves.
async fn run<T: Send + 'static>(
    permits: &Arc<Semaphore>,
    events: usize,
    fold: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    if events <= FEW_EVENTS { fold() } else { run_on_thread(permits, fold).await }
}

async fn run_on_thread<T: Send + 'static>(
    permits: &Arc<Semaphore>,
    compute: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let permit = Arc::clone(permits).acquire_owned().await.expect("the semaphore is never closed");
    let span = Span::current();
    let folding = spawn_blocking(move || {
        let _permit = permit;
        span.in_scope(compute)
    });
    folding.await.unwrap_or_else(|error| {
        tracing::error!(panicked = error.is_panic(), "a computation was aborted");
        Err(Refusal::internal())
    })
}

#[cfg(test)]
mod tests {
    use std::thread::{ThreadId, current};

    use futures_util::FutureExt;

    use super::*;

    #[expect(clippy::unnecessary_wraps, reason = "a fold may be refused")]
    fn thread() -> Result<ThreadId, Refusal> {
        Ok(current().id())
    }

    #[tokio::test]
    async fn only_short_folds_run_on_the_worker_of_their_call() {
        let pool = FoldPool::default();
        let worker = current().id();
        for (events, same) in [(0, true), (FEW_EVENTS, true), (FEW_EVENTS + 1, false), (500, false)] {
            assert_eq!(pool.for_head(events, thread).await.unwrap() == worker, same, "{events}");
            assert_eq!(pool.for_past(events, thread).await.unwrap() == worker, same, "{events}");
        }
    }

    #[tokio::test]
    async fn folds_of_the_past_are_bounded_and_hold_up_no_head() {
        let pool = FoldPool::default();
        let permits = pool.past.available_permits();
        let held = Arc::clone(&pool.past).acquire_many_owned(u32::try_from(permits).unwrap()).await;
        let mut past = Box::pin(pool.for_past(500, thread));
        assert!((&mut past).now_or_never().is_none());
        pool.for_head(500, thread).await.unwrap();
        pool.for_past(1, thread).await.unwrap();
        assert!((&mut past).now_or_never().is_none());
        drop(held);
        past.await.unwrap();
    }
}
