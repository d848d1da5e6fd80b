//! The tasks that run until the journal closes, besides the writers.

mod key_check;
mod retention;
mod tailer;
mod time_sync;

pub(crate) use self::key_check::check_key;
pub(crate) use self::retention::prune_commits;
pub use self::tailer::FastPolling;
pub(crate) use self::tailer::{PollingDemand, Tailer};
pub(crate) use self::time_sync::{measure_time, sync_time};
