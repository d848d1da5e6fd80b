//! A server of the Model Context Protocol (MCP) on the standard streams: a language model plays through one
//! seat's eyes. `tools` defines what the model can call, `parameters` what it passes, `seat_of_agent` finds
//! the seat that it plays, `lost_moves` has its repeated moves made once, `bots` are its opponents,
//! `resources` has the rules.

mod bots;
mod listing;
mod lost_moves;
mod parameters;
mod resources;
mod seat_of_agent;
mod server;
mod tools;

pub(crate) use server::serve;
