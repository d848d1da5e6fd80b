//! Changes of a match that wait for its lock or hold it, bounded by who makes them, so that no player of a
//! match can keep the others from it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use event::{MAX_SEATS, Seat};
use wire::v1::ErrorReason;

use super::LiveMatch;
use crate::Refusal;

/// Maximum changes of a match in progress that one seat makes, or the owner, or everybody else together.
const MAX_WAITING: u32 = 32;

const RETRY_AFTER: Duration = Duration::from_millis(50);

/// Who makes a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Seat(Seat),
    Owner,
    Other,
}

/// The number of changes in progress from each origin.
#[derive(Default)]
pub(super) struct Waiting([AtomicU32; MAX_SEATS + 2]);

/// A place among the changes of a match, given up on drop.
pub(crate) struct PendingChange {
    live: Arc<LiveMatch>,
    origin: Origin,
}

impl Waiting {
    fn of(&self, origin: Origin) -> &AtomicU32 {
        &self.0[match origin {
            Origin::Seat(seat) => seat.index(),
            Origin::Owner => MAX_SEATS,
            Origin::Other => MAX_SEATS + 1,
        }]
    }
}

impl LiveMatch {
    /// Takes a place among the changes of this match, or refuses one too many of the same origin.
    pub(crate) fn wait_as(self: &Arc<Self>, origin: Origin) -> Result<PendingChange, Refusal> {
        // Gives the count back if this one is too many.
        let place = PendingChange { live: Arc::clone(self), origin };
        if self.waiting.of(origin).fetch_add(1, Ordering::Relaxed) < MAX_WAITING {
            return Ok(place);
        }
        let (reason, message) = match origin {
            Origin::Seat(_) | Origin::Owner => (
                ErrorReason::RateLimited,
                format!("{MAX_WAITING} changes of this caller wait for the match; retry when some are done"),
            ),
            Origin::Other => (
                ErrorReason::Overloaded,
                format!("{MAX_WAITING} changes by others wait for the match; retry later"),
            ),
        };
        Err(Refusal::new(reason, message).retry_after(RETRY_AFTER))
    }
}

impl Drop for PendingChange {
    fn drop(&mut self) {
        self.live.waiting.of(self.origin).fetch_sub(1, Ordering::Relaxed);
    }
}
