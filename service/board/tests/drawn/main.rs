//! Positions drawn and events told, compared with what a person found good.

mod boards;
mod positions;
mod words;
