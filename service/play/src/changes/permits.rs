//! The bounds on the changes in progress, which count the work and not the calls that wait for it: while the
//! database stalls, appends stay whose callers have left. One caller can have a quarter of each.

use std::sync::Arc;
use std::time::Duration;

use wire::v1::ErrorReason;

use crate::shares::{NoRoom, SharedPermit, SharedPermits};
use crate::{Refusal, ShareHolder};

/// Maximum bytes of new matches that wait to be stored. The journal takes a little more, so that moves, which
/// are small, find room beside them.
const MAX_CREATED_BYTES: u64 = 24 << 20;

const RETRY_AFTER_OVERLOAD: Duration = Duration::from_millis(250);

/// Permits for concurrent changes; cheap to clone.
#[derive(Clone)]
pub(crate) struct ChangePermits {
    changes: SharedPermits,
    created_bytes: SharedPermits,
}

/// A permit for one change, returned once the caller and the append have dropped it.
pub(crate) type ChangePermit = Arc<SharedPermit>;

impl ChangePermits {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            changes: SharedPermits::new(capacity as u64),
            created_bytes: SharedPermits::new(MAX_CREATED_BYTES),
        }
    }

    /// Acquires a permit for a change, or refuses it.
    pub(crate) fn acquire(&self, holder: Option<ShareHolder>) -> Result<ChangePermit, Refusal> {
        self.changes.acquire(holder, 1).map(Arc::new).map_err(refusal)
    }

    /// Acquires a permit to store this many bytes of a new match, or refuses it.
    pub(crate) fn acquire_bytes(
        &self,
        holder: Option<ShareHolder>,
        bytes: u64,
    ) -> Result<SharedPermit, Refusal> {
        self.created_bytes.acquire(holder, bytes).map_err(refusal)
    }
}

fn refusal(no_room: NoRoom) -> Refusal {
    let refusal = match no_room {
        NoRoom::InAll => {
            Refusal::new(ErrorReason::Overloaded, "too many changes are in progress; try again later")
        }
        NoRoom::InShare => Refusal::new(
            ErrorReason::RateLimited,
            "this caller or its network has its share of the changes in progress; retry when some are done",
        ),
    };
    refusal.retry_after(RETRY_AFTER_OVERLOAD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_new_matches_that_wait_are_shared() {
        const LONG_FORK: u64 = 4 << 20;
        let permits = ChangePermits::new(1);
        let [first, second] = [1, 2].map(|number| Some(ShareHolder::new(number)));
        let held = permits.acquire_bytes(first, LONG_FORK).expect("the first is always accepted");
        let refusal = permits.acquire_bytes(first, LONG_FORK).err().unwrap();
        assert_eq!(refusal.reason, ErrorReason::RateLimited);
        let _small = permits.acquire_bytes(first, 1 << 10).expect("it is within the share");
        let _other = permits.acquire_bytes(second, LONG_FORK).expect("others have a share");
        let all: Vec<_> = std::iter::from_fn(|| permits.acquire_bytes(None, LONG_FORK).ok()).collect();
        assert_eq!(all.len(), 3);
        assert_eq!(permits.acquire_bytes(None, LONG_FORK).err().unwrap().reason, ErrorReason::Overloaded);
        drop((held, all));
        permits.acquire_bytes(first, LONG_FORK).expect("what was taken is given back");
    }
}
