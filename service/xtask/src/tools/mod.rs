//! Programs that the chores need and that cargo does not bring: found, or downloaded once in a pinned version.

mod buf;
mod grpcurl;

pub(crate) use buf::buf;
pub(crate) use grpcurl::grpcurl;
