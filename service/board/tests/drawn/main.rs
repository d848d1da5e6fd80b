//! Positions drawn and events told, compared with what a person found good.

mod ace_exorcist;
mod boards;
mod cresnovian_chess;
mod ludus_magus;
mod pictures;
mod positions;
mod words;
