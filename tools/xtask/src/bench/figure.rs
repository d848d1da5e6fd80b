//! One measurement in numbers, as the program of `tools/bench` prints it. pgbench's results take the same
//! form.

use serde::{Deserialize, Serialize};

/// Throughput and latency of one kind of call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Figure {
    /// The number of concurrent calls.
    pub(super) concurrency: u32,
    pub(super) per_second: f64,
    /// Events written per second; 0 for calls that write none.
    pub(super) events_per_second: f64,
    pub(super) mean_ms: f64,
    /// `None` where only the mean is known.
    pub(super) p50_ms: Option<f64>,
    pub(super) p99_ms: Option<f64>,
}
