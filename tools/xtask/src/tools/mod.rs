//! Programs that the chores need and that cargo does not bring: found, or downloaded once in a pinned version.

mod buf;
mod cargo_deny;
mod curl;
mod grpcurl;
mod kubectl;
mod python;
mod redocly;
mod schemathesis;

pub(crate) use buf::buf;
pub(crate) use cargo_deny::cargo_deny;
pub(crate) use curl::curl;
pub(crate) use grpcurl::grpcurl;
pub(crate) use kubectl::kubectl;
pub(crate) use python::{Environment, environment};
pub(crate) use redocly::redocly;
pub(crate) use schemathesis::schemathesis;
