//! The calls of the service, one method each. The streams that resume are `Watch` and `Feed`.

mod games;
mod log;
mod matches;
mod play;
mod webhooks;

/// Maximum size of a record of a log: both parts of an event at their limits.
pub(crate) const MAX_RECORD_BYTES: usize = 9 << 20;
