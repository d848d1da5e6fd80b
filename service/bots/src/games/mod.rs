//! One file per game: what its positions or moves are worth.

pub(crate) mod ace_exorcist;
pub(crate) mod angels_and_demons;
pub(crate) mod cresnovian_chess;
pub(crate) mod ludus_magus;
