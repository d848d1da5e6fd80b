//! What the service observes of a journal: readiness, statistics, and spans for traces.

mod readiness;
mod stats;
pub(crate) mod steps;

pub use readiness::Unready;
pub use stats::{JournalStats, PoolStats, QueueStats};
pub use steps::STEPS;
