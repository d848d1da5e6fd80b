//! The games: one folder per game, with the same files in each.

pub mod ace_exorcist;
pub mod angels_and_demons;
pub mod cresnovian_chess;
pub mod ludus_magus;
