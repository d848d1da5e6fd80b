//! Running changes as tasks of their own, within a bound. The bound counts the work, not the calls that wait
//! for it.

use std::sync::Arc;
use std::time::Duration;

use event::MatchId;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tracing::Instrument as _;
use wire::v1::ErrorReason;

use crate::{Play, Refusal};

const RETRY_AFTER_OVERLOAD: Duration = Duration::from_millis(250);

/// Permits for concurrent changes; cheap to clone.
#[derive(Clone)]
pub(crate) struct ChangePermits(Arc<Semaphore>);

impl ChangePermits {
    pub(crate) fn new(capacity: usize) -> Self {
        Self(Arc::new(Semaphore::new(capacity.min(Semaphore::MAX_PERMITS))))
    }

    /// Spawns a change that holds a permit until it is done.
    fn spawn<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
    ) -> Result<JoinHandle<Result<Box<T>, Refusal>>, Refusal> {
        let permit = Arc::clone(&self.0).try_acquire_owned().map_err(|_| {
            Refusal::new(ErrorReason::Overloaded, "too many changes are in progress; try again later")
                .retry_after(RETRY_AFTER_OVERLOAD)
        })?;
        // Boxed: work and answer are kilobytes, and the runtime moves its tasks several times.
        let work = Box::pin(work);
        let task = async move {
            let _permit = permit;
            work.await.map(Box::new)
        };
        Ok(tokio::spawn(task.in_current_span()))
    }
}

impl Play {
    /// Runs a change of a match as a task of its own, which goes on if the caller cancels its call.
    pub(crate) fn detached<T: Send + 'static>(
        &self,
        match_id: MatchId,
        work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
    ) -> impl Future<Output = Result<T, Refusal>> {
        let started = self.change_permits.spawn(work);
        async move {
            match started?.await {
                Ok(result) => result.map(|done| *done),
                Err(error) => {
                    let head = self.matches.find(match_id).and_then(|live| live.head());
                    let seq = head.map(|head| head.seq().0);
                    let panicked = error.is_panic();
                    tracing::error!(match.id = %match_id, match.seq = seq, panicked, "a change was aborted");
                    Err(Refusal::internal())
                }
            }
        }
    }
}
