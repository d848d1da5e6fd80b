//! The bound on the changes in progress, which counts the work and not the calls that wait for it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wire::v1::ErrorReason;

use crate::Refusal;

const RETRY_AFTER_OVERLOAD: Duration = Duration::from_millis(250);

/// Permits for concurrent changes; cheap to clone.
#[derive(Clone)]
pub(crate) struct ChangePermits(Arc<Semaphore>);

/// A permit for one change, returned once the caller and the append have dropped it.
pub(crate) type ChangePermit = Arc<OwnedSemaphorePermit>;

impl ChangePermits {
    pub(crate) fn new(capacity: usize) -> Self {
        Self(Arc::new(Semaphore::new(capacity.min(Semaphore::MAX_PERMITS))))
    }

    /// Acquires a permit, or refuses the change.
    pub(crate) fn acquire(&self) -> Result<ChangePermit, Refusal> {
        Arc::clone(&self.0).try_acquire_owned().map(Arc::new).map_err(|_| {
            Refusal::new(ErrorReason::Overloaded, "too many changes are in progress; try again later")
                .retry_after(RETRY_AFTER_OVERLOAD)
        })
    }
}
