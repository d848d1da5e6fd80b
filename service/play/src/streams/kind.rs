//! The kinds of streams, and how many of each are open.

use std::sync::atomic::{AtomicU64, Ordering};

/// A kind of stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
    /// One match, from an event on.
    Watch,
    /// The logs of one match or many.
    Export,
    /// The events of all matches.
    Feed,
    /// Moves.
    Moves,
}

impl StreamKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Watch, Self::Export, Self::Feed, Self::Moves];

    /// Returns the kind's name in metrics.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Watch => "watch",
            Self::Export => "export",
            Self::Feed => "feed",
            Self::Moves => "moves",
        }
    }
}

/// The number of open streams of each kind.
#[derive(Default)]
pub(super) struct OpenStreams([AtomicU64; StreamKind::ALL.len()]);

impl OpenStreams {
    pub(super) fn add(&self, kind: StreamKind) {
        self.0[kind as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn remove(&self, kind: StreamKind) {
        self.0[kind as usize].fetch_sub(1, Ordering::Relaxed);
    }

    pub(super) fn count(&self, kind: StreamKind) -> u64 {
        self.0[kind as usize].load(Ordering::Relaxed)
    }
}
