//! What holds for every log: it folds to what was played, a changed one does not
//! fold, and it tells a viewer no more than the viewer may know.

#![allow(clippy::unwrap_used, reason = "a test fails where it must")]

mod endings;
mod every_game;
mod exported;
mod files;
mod forgery;
mod hidden_hands;
mod parents;
mod past_logs;
mod rehearsal;
mod sample;
mod second_verifier;
mod secrecy;
mod tampering;
mod verifying;
mod whole_match;
