//! The files under `deploy/` against the program that they start. `cargo xtask lint` checks their syntax.

mod files;
mod images;
mod names;
mod program;
mod secrets;
mod settings;
mod stopping;
