//! One measurement in numbers, as the program of `tools/bench` prints it; pgbench's are put in the same form.

use serde::{Deserialize, Serialize};

/// What was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Figure {
    /// How many were on their way at a time.
    pub(super) at_once: u32,
    pub(super) per_second: f64,
    /// Events that were written; 0 where there are none.
    pub(super) events_per_second: f64,
    pub(super) mean_ms: f64,
    /// Absent where only the mean is known.
    pub(super) p50_ms: Option<f64>,
    pub(super) p99_ms: Option<f64>,
}
