//! Segments: what is written is read back unchanged, and nothing else is read.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod damaged;
mod databases;
mod logs;
mod reading;
mod round_trip;
mod running;
#[path = "../../../replay/tests/replay/sample.rs"]
#[expect(dead_code, reason = "replay's own tests use the rest")]
mod sample;
mod written;
