//! The use cases against real journals: repeated calls, racing replicas, cancelled
//! calls, slow watchers, a cache that is too small.

#![allow(clippy::unwrap_used, reason = "a test fails where it must")]

mod cache;
mod cancelled;
mod repeated;
mod replicas;
mod table;
mod watching;
