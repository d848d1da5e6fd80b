//! Matches kept folded in memory. Nothing here is a truth of its own: a live match
//! is what the journal holds, read ahead of the next call.

pub(crate) mod catch_up;
mod head;
mod registry;

pub(crate) use head::Head;
pub(crate) use registry::{LiveMatch, Registry};
