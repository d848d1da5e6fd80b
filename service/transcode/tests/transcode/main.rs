//! Tests of the public API, with the protos of a fictional library and with invalid protos.

// Clippy allows `unwrap` in test functions, but not in their helpers.
#![allow(clippy::unwrap_used)]

mod arbitrary;
mod body;
mod canonical;
mod gateway;
mod maps;
mod openapi;
mod pool;
mod query;
mod route_match;
mod routes;
mod template;
mod wording;
