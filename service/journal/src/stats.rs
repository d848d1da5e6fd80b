//! What waits and what is in use in a journal at one moment, as plain numbers.

/// A moment of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// What waits for the lane that takes nearly everything.
    pub writer: QueueStats,
    /// What waits for the lane of matches that other replicas write too; none where nobody else can write.
    pub solo: Option<QueueStats>,
    /// The connections that read; none where reading needs no connection.
    pub pool: Option<PoolStats>,
}

/// What waits for a lane and is in no batch yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueStats {
    /// Appends.
    pub requests: usize,
    /// Their bytes.
    pub bytes: usize,
}

/// The connections that read. Each lane has one of its own beside these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolStats {
    /// Open ones.
    pub open: usize,
    /// Those of them that nobody uses now.
    pub idle: usize,
}
