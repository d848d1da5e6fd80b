//! What holds for every log: it replays to what was played, a changed one does not replay, and it shows a viewer no more than
//! the viewer may know.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod endings;
mod every_game;
mod hidden_hands;
mod local_position;
mod past_logs;
mod sample;
mod secrecy;
mod tampering;
mod whole_match;
