//! Properties of every log file: an honest one verifies, a forged one does not, and the verifier in
//! `clients/python` agrees.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod exported;
mod files;
mod forged;
mod forgery;
mod longest_log;
mod parents;
mod reseated;
#[path = "../../../replay/tests/replay/sample.rs"]
mod sample;
mod second_verifier;
mod vectors;
mod verifying;
