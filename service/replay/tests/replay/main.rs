//! Properties of every log: it replays to the match that was played, a tampered one does not replay, and it
//! shows viewers only what they may know.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod endings;
mod every_game;
mod forks;
mod golden;
mod hidden_hands;
mod local_position;
mod past_logs;
mod sample;
mod secrecy;
mod takebacks;
mod tampering;
mod view_sizes;
mod whole_match;
