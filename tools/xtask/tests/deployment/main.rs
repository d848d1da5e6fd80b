//! What the files under deploy/ say, compared with the program that they start. How they are written is for
//! `cargo xtask lint`.

mod files;
mod images;
mod names;
mod program;
mod secrets;
mod settings;
mod stopping;
