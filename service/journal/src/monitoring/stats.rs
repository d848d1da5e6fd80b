//! Current queue lengths and pool use of a journal, as plain numbers.

use std::iter::Sum;

/// Current queue lengths and pool use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalStats {
    /// The queues of the batching writers of all shards.
    pub batching: QueueStats,
    /// The queues of the contended writers of all shards; `None` if no other replica can write.
    pub contended: Option<QueueStats>,
    /// The connections for reading; `None` if the store needs none.
    pub pool: Option<PoolStats>,
}

/// Appends that wait for a batch of their writers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueStats {
    /// Number of appends.
    pub requests: usize,
    /// Their size in bytes.
    pub bytes: usize,
}

/// The connections for reading. Each writer has its own connection besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolStats {
    /// Number of open connections.
    pub open: usize,
    /// Number of idle connections among them.
    pub idle: usize,
}

impl Sum for QueueStats {
    fn sum<I: Iterator<Item = QueueStats>>(stats: I) -> QueueStats {
        stats.fold(QueueStats { requests: 0, bytes: 0 }, |total, stats| QueueStats {
            requests: total.requests + stats.requests,
            bytes: total.bytes + stats.bytes,
        })
    }
}
