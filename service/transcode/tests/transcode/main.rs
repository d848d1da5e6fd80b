//! The whole crate from outside, on a made-up library and on protos with mistakes.

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
