//! The whole crate from outside, on a made-up library and on protos with mistakes.

// Clippy knows test functions, but not that everything here serves them.
#![allow(clippy::unwrap_used)]

mod arbitrary;
mod body;
mod canonical;
mod front;
mod matching;
mod openapi;
mod pool;
mod query;
mod routes;
mod template;
