//! The client and its examples against a real service: `target/<profile>/matchbookd`.

mod programs;
mod seats;
mod stage;
