//! What all callers share. One caller alone can take a part of it, never all, and neither can one network.

mod bearer;
mod hourly_bytes;
mod permits;

pub(crate) use bearer::Bearer;
pub(crate) use hourly_bytes::{HourlyBytes, SpentBytes};
pub(crate) use permits::{SharedPermit, SharedPermits};

/// Why a caller gets no more of what all callers share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoRoom {
    /// Nothing is left.
    InAll,
    /// The caller or its network has its share.
    InShare,
}
