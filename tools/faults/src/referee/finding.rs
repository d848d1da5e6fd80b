//! What the referee can find.

/// A violation of a guarantee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Finding {
    /// The log lacks an acknowledged event, or has it with other content.
    Lost { seq: u32 },
    /// The number of calls that this event was acknowledged to is not one.
    Doubled { seq: u32, acknowledged: usize },
    /// The log has another event at this position.
    OutOfOrder { expected: u32, found: u32 },
    /// The event's time lies outside its call, or not after the previous event's.
    WrongTime { seq: u32, early_ms: i64 },
    /// The match did not end.
    NotOver,
    /// A seat lost on time although its player moved at once.
    WrongTimeout,
    /// A watcher received an event repeatedly, too early, or after a gap.
    WatchedOutOfOrder { expected: u32, found: u32 },
    /// A watcher received an event with other content than the log's.
    WatchedDifferently { seq: u32 },
    /// A watcher did not receive the end.
    WatchedTooLittle { seen: u32, head: u32 },
    /// A watcher was refused.
    WatchRefused(String),
    /// A player received an unexpected response.
    Problem(String),
    /// Two replicas return different logs.
    ReplicasDiffer,
    /// The exported log does not verify.
    NotVerified(String),
}
