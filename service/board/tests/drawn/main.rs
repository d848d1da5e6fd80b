//! Positions drawn and events told, compared with what a person found good.

mod boards;
mod ludus_magus;
mod positions;
mod words;
