//! What all callers share. One caller alone can take a part of it, never all.

mod hourly_bytes;
mod permits;

pub(crate) use hourly_bytes::{HourlyBytes, SpentBytes};
pub(crate) use permits::{SharedPermit, SharedPermits};

/// How much a caller may have: what is free, divided by this. Alone, that is a quarter of everything.
pub(crate) const PARTS: u64 = 3;

/// Why a caller gets no more of what all callers share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoRoom {
    /// Nothing is left.
    InAll,
    /// The caller has its share.
    InShare,
}
