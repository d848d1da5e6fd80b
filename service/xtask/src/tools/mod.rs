//! Programs that the chores need and that cargo does not bring: found, or downloaded once in a pinned version.

mod buf;
mod curl;
mod grpcurl;
mod redocly;
mod schemathesis;

pub(crate) use buf::buf;
pub(crate) use curl::curl;
pub(crate) use grpcurl::grpcurl;
pub(crate) use redocly::redocly;
pub(crate) use schemathesis::schemathesis;
