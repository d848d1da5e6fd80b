//! The client and its examples against a real service: `target/<profile>/matchbookd`.

mod cancelled;
mod conformance;
mod move_streams;
mod networks;
mod programs;
mod proxy;
mod seats;
mod stage;
mod tls;
mod webhooks;
