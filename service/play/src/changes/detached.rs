//! Running what cannot be cancelled as tasks of their own.

use event::MatchId;
use tokio::task::JoinError;
use tracing::Instrument as _;

use crate::{Play, Refusal, ShareHolder};

/// Runs work as a task of its own, which goes on if the caller cancels its call. It holds `held` until it is
/// done.
pub(super) async fn detached<T: Send + 'static>(
    held: impl Send + 'static,
    work: impl Future<Output = T> + Send + 'static,
) -> Result<T, JoinError> {
    // Boxed: work and answer are kilobytes, and the runtime moves its tasks several times.
    let work = Box::pin(work);
    let task = async move {
        let _held = held;
        Box::new(work.await)
    };
    tokio::spawn(task.in_current_span()).await.map(|done| *done)
}

impl Play {
    /// Runs a change of a match, from its append on, as a task of its own with a permit of
    /// `holder`.
    pub(crate) async fn detached<T: Send + 'static>(
        &self,
        holder: Option<ShareHolder>,
        match_id: MatchId,
        work: impl Future<Output = Result<T, Refusal>> + Send + 'static,
    ) -> Result<T, Refusal> {
        let permit = self.change_permits.acquire(holder)?;
        detached(permit, work).await.map_err(|error| aborted(match_id, &error))?
    }
}

/// Logs that a task did not end by itself, and returns the refusal of its call.
pub(super) fn aborted(match_id: MatchId, error: &JoinError) -> Refusal {
    let panicked = error.is_panic();
    tracing::error!(match.id = %match_id, panicked, "a change was aborted");
    Refusal::internal()
}
