//! Bounds on the service's long computations, folding logs and choosing moves: how many run at once, and that
//! they keep no worker of the runtime from other calls. Callers take turns at them.

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;

use journal::StoredEvent;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tracing::Span;

use super::turns::{Turn, Turns};
use crate::{Refusal, ShareHolder};

/// Maximum work that is done where the call runs: so many typical events take less than a millisecond.
const LITTLE_WORK: Work = Work(32);

/// Bytes of a typical event's public part. The first event of a fork has all moves of its parent.
const TYPICAL_BYTES: usize = 128;

/// How many matches one caller can have folded at a time. Most of the time they wait for the database.
const HEADS_PER_CALLER: usize = 8;

/// How long a fold takes, in typical events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Work(usize);

/// Threads for folds of more than a few events, a page at a time, and for choosing moves. Looks at the past
/// and thoughts wait for each other, never the fold of a match that is to be played on. Pages take turns, so
/// a long fold lets short ones pass.
pub(super) struct FoldPool {
    heads: Arc<Semaphore>,
    /// Turns at matches to be folded, whatever the number of their pages.
    heads_turns: Turns,
    past: Arc<Semaphore>,
    /// Turns at pages of the past.
    past_turns: Turns,
}

impl Default for FoldPool {
    /// Allows folds of each sort on half of the processors.
    fn default() -> Self {
        Self::with_threads(available_parallelism().map_or(1, NonZero::get).div_ceil(2))
    }
}

impl Work {
    /// More than a call may do where it runs.
    pub(super) const MUCH: Self = Self(usize::MAX);

    /// Returns the work of folding events, which is in what they say as well as in their number.
    pub(super) fn of(events: &[StoredEvent]) -> Self {
        let work = events.iter().map(|event| (event.event.public.len() / TYPICAL_BYTES).max(1));
        Self(work.sum())
    }
}

impl FoldPool {
    /// Allows this many folds of each sort at once. One caller can have half of those of the past, and at
    /// least one.
    fn with_threads(threads: usize) -> Self {
        Self {
            heads: Arc::new(Semaphore::new(threads)),
            past: Arc::new(Semaphore::new(threads)),
            heads_turns: Turns::new(HEADS_PER_CALLER),
            past_turns: Turns::new((threads / 2).max(1)),
        }
    }

    /// Waits for a caller's turn to have a match folded, which lasts until the turn is dropped. Another
    /// caller waits for few matches of this one, even for one that this one is to fold as well: so take the
    /// turn before the match's lock.
    pub(super) async fn turn_at_head(&self, holder: Option<ShareHolder>) -> Vec<Turn> {
        self.heads_turns.wait(holder).await
    }

    /// Folds onto a match's head.
    pub(super) async fn for_head<T: Send + 'static>(
        &self,
        work: Work,
        fold: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        if work <= LITTLE_WORK {
            return fold();
        }
        run(&self.heads, (), fold).await
    }

    /// Folds a part of a match's past for a caller. However many folds it waits for, another caller waits for
    /// few of them.
    pub(super) async fn for_past<T: Send + 'static>(
        &self,
        holder: Option<ShareHolder>,
        work: Work,
        fold: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        if work <= LITTLE_WORK {
            return fold();
        }
        let turn = self.past_turns.wait(holder).await;
        run(&self.past, turn, fold).await
    }

    /// Chooses a move for a caller.
    pub(super) async fn for_thought<T: Send + 'static>(
        &self,
        holder: Option<ShareHolder>,
        choose: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        self.for_past(holder, Work::MUCH, || Ok(choose())).await
    }
}

async fn acquire(permits: &Arc<Semaphore>) -> OwnedSemaphorePermit {
    Arc::clone(permits).acquire_owned().await.expect("the semaphore is never closed")
}

/// Runs a fold on a thread of its own once there is a permit. It holds the permit and `held` to its end even
/// if the caller leaves.
async fn run<T: Send + 'static>(
    permits: &Arc<Semaphore>,
    held: impl Send + 'static,
    fold: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let held = (acquire(permits).await, held);
    let span = Span::current();
    let folding = spawn_blocking(move || {
        let _held = held;
        span.in_scope(fold)
    });
    folding.await.unwrap_or_else(|error| {
        tracing::error!(panicked = error.is_panic(), "a computation was aborted");
        Err(Refusal::internal())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::thread::{ThreadId, current};

    use event::{Event, RecordTime, Seq};
    use futures_util::FutureExt;
    use futures_util::future::join_all;
    use journal::Hlc;

    use super::*;

    #[expect(clippy::unnecessary_wraps, reason = "a fold may be refused")]
    fn thread() -> Result<ThreadId, Refusal> {
        Ok(current().id())
    }

    #[tokio::test]
    async fn only_short_folds_run_on_the_worker_of_their_call() {
        let pool = FoldPool::default();
        let worker = current().id();
        let Work(little) = LITTLE_WORK;
        for (work, same) in [(0, true), (little, true), (little + 1, false), (500, false)] {
            assert_eq!(pool.for_head(Work(work), thread).await.unwrap() == worker, same, "{work}");
            assert_eq!(pool.for_past(None, Work(work), thread).await.unwrap() == worker, same, "{work}");
        }
    }

    #[test]
    fn the_first_event_of_a_long_fork_is_much_work() {
        let event = |bytes: usize| StoredEvent {
            event: Event {
                seq: Seq(1),
                record_time: RecordTime(0),
                kind: 1,
                hash: [0; 32],
                public: vec![0; bytes].into(),
                sealed: None,
            },
            hlc: Hlc(0),
            request_hash: None,
        };
        assert_eq!(Work::of(&[event(60), event(200)]), Work(2));
        assert!(Work::of(&[event(100 << 10)]) > LITTLE_WORK);
    }

    #[tokio::test]
    async fn folds_of_the_past_are_bounded_and_hold_up_no_head() {
        let pool = FoldPool::default();
        let permits = pool.past.available_permits();
        let held = Arc::clone(&pool.past).acquire_many_owned(u32::try_from(permits).unwrap()).await;
        let mut past = Box::pin(pool.for_past(None, Work(500), thread));
        assert!((&mut past).now_or_never().is_none());
        pool.for_head(Work(500), thread).await.unwrap();
        pool.for_past(None, Work(1), thread).await.unwrap();
        assert!((&mut past).now_or_never().is_none());
        drop(held);
        past.await.unwrap();
    }

    #[tokio::test]
    async fn a_caller_with_many_looks_at_the_past_takes_turns_with_others() {
        let pool = FoldPool::with_threads(1);
        let held = acquire(&pool.past).await;
        let order = Arc::new(Mutex::new(Vec::new()));
        let fold = |holder| {
            let order = Arc::clone(&order);
            let note = move || {
                order.lock().unwrap().push(holder);
                Ok(())
            };
            Box::pin(pool.for_past(Some(ShareHolder::new(holder)), Work::MUCH, note))
        };
        let mut folds: Vec<_> = (0..100).map(|_| fold(1)).collect();
        folds.extend([fold(2), fold(3)]);
        for waiting in &mut folds {
            assert!(waiting.now_or_never().is_none());
        }
        drop(held);
        join_all(folds).await;
        assert_eq!(order.lock().unwrap()[..3], [1, 2, 3]);
    }

    #[tokio::test]
    async fn a_caller_that_has_many_matches_folded_takes_turns_with_others() {
        let pool = FoldPool::with_threads(1);
        let held = acquire(&pool.heads).await;
        let order = Arc::new(Mutex::new(Vec::new()));
        let fold = |holder| {
            let (pool, order) = (&pool, Arc::clone(&order));
            Box::pin(async move {
                let _turn = pool.turn_at_head(Some(ShareHolder::new(holder))).await;
                let note = move || {
                    order.lock().unwrap().push(holder);
                    Ok(())
                };
                pool.for_head(Work::MUCH, note).await
            })
        };
        let mut folds: Vec<_> = (0..100).map(|_| fold(1)).collect();
        folds.extend([fold(2), fold(3)]);
        for waiting in &mut folds {
            assert!(waiting.now_or_never().is_none());
        }
        drop(held);
        join_all(folds).await;
        let others = HEADS_PER_CALLER..HEADS_PER_CALLER + 2;
        assert_eq!(order.lock().unwrap()[others], [2, 3], "after those that it had begun");
    }

    #[tokio::test]
    async fn one_caller_has_at_most_half_of_the_threads_for_the_past() {
        let pool = FoldPool::with_threads(8);
        let turn = || pool.past_turns.wait(Some(ShareHolder::new(1))).now_or_never();
        let turns: Vec<_> = std::iter::from_fn(turn).collect();
        assert_eq!(turns.len(), 4);
    }
}
