//! The use cases against real journals: who may do what, repeated calls, racing
//! replicas, cancelled calls, slow watchers, clocks, endings, a cache that is too small.

#![allow(clippy::unwrap_used, reason = "a test fails where it must")]

mod cache;
mod callers;
mod cancelled;
mod clocks;
mod directory;
mod endings;
mod hand_clock;
mod lineage;
mod repeated;
mod replicas;
mod table;
mod watching;
