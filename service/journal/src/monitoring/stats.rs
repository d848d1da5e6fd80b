//! Current queue lengths and pool use of a journal, as plain numbers.

/// Current queue lengths and pool use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalStats {
    /// The queue of the batching writer.
    pub batching: QueueStats,
    /// The queue of the contended writer; `None` if no other replica can write.
    pub contended: Option<QueueStats>,
    /// The connections for reading; `None` if the store needs none.
    pub pool: Option<PoolStats>,
}

/// Appends that wait for a batch of their writer.
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
