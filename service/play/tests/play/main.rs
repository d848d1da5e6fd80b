//! The use cases against real journals: repeated calls, racing replicas, cancelled
//! calls, slow watchers, a cache that is too small.

mod cache;
mod cancelled;
mod repeated;
mod replicas;
mod table;
mod watching;
