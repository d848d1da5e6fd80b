//! Bounds on the work of folding logs, which is the service's only long computation: how many folds run at
//! once, and how long one keeps a worker thread from other calls.

use std::num::NonZero;
use std::thread::available_parallelism;

use tokio::sync::{Semaphore, SemaphorePermit};

/// Number of events after which a fold lets other tasks run. So many take less than a millisecond.
pub(super) const EVENTS_BEFORE_YIELD: usize = 32;

/// Permits for folds of more than a few events. Looks at the past wait for each other, never the fold of a
/// match that is to be played on.
pub(super) struct FoldPermits {
    heads: Semaphore,
    past: Semaphore,
}

impl Default for FoldPermits {
    /// Allows folds of each sort on half of the processors.
    fn default() -> Self {
        let permits = available_parallelism().map_or(1, NonZero::get).div_ceil(2);
        Self { heads: Semaphore::new(permits), past: Semaphore::new(permits) }
    }
}

impl FoldPermits {
    /// Waits until this many events may be folded onto a match's head.
    pub(super) async fn for_head(&self, events: usize) -> Option<SemaphorePermit<'_>> {
        permit(&self.heads, events).await
    }

    /// Waits until this many events of a match's past may be folded.
    pub(super) async fn for_past(&self, events: usize) -> Option<SemaphorePermit<'_>> {
        permit(&self.past, events).await
    }
}

/// Returns a permit, or `None` if so few events need none.
async fn permit(semaphore: &Semaphore, events: usize) -> Option<SemaphorePermit<'_>> {
    if events <= EVENTS_BEFORE_YIELD {
        return None;
    }
    Some(semaphore.acquire().await.expect("the semaphore is never closed"))
}
