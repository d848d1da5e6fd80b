//! What drawings and event lines say: names of seats, pieces and cards, clocks, results, and events in one
//! line each.

mod clocks;
mod counted;
mod event_line;
mod fork;
mod match_start;
mod result_line;

pub(crate) mod ace_exorcist;
pub(crate) mod angels_and_demons;
pub(crate) mod cresnovian_chess;
pub(crate) mod ludus_magus;
pub(crate) mod seats;

pub use clocks::{clocks_at, time_control};
pub use counted::counted;
pub use event_line::event_line;
pub use result_line::result_line;

pub(crate) use fork::fork_line;
