//! The games, a folder each, all with the same files.

pub mod ace_exorcist;
pub mod angels_and_demons;
pub mod cresnovian_chess;
pub mod ludus_magus;
