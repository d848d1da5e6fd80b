//! The games, a folder each, all with the same files.

pub mod angels_and_demons;
pub mod ludus_magus;
